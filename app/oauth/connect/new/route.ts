import { accountPage } from "@/components/connect/account-page";
import { refused, speaks } from "@/components/connect/answers";
import { type DashboardWish, goTo, readWish, toSignIn } from "@/components/connect/wish";
import { connectUrl, openAttempt } from "@/lib/connect";
import { databaseNow } from "@/lib/db";
import { env } from "@/lib/env";
import { appOf, PlatformError } from "@/lib/networks";

export const dynamic = "force-dynamic";

/** The dashboard's own way into the bridge. */
export async function POST(request: Request): Promise<Response> {
  try {
    const asked = await readWish(request);
    if (!asked) return toSignIn();
    const { wish, network } = asked;
    if (network.connect.kind === "bot") {
      await openAttempt({ ...wish, speaks: speaks(request) });
      return goTo(`${env.appUrl}/accounts/connect/${wish.jti}`);
    }
    if (network.connect.account) return await withAccount(asked, network.connect.account);
    return goTo(connectUrl(wish, await databaseNow()));
  } catch (error) {
    return refused(error, request);
  }
}

/** A name is looked up before the browser leaves: a mistyped one is said beside its field. */
async function withAccount(asked: DashboardWish, question: Parameters<typeof accountPage>[0]["account"]) {
  const { wish, network, carried, account: typed } = asked;
  const password = network.connect.kind === "oauth" ? network.connect.password : undefined;
  const page = { network: network.name, platform: network.platform, account: question, password, carried, typed };
  if (!typed) return accountPage(page);
  try {
    const account = await question.find(appOf(network), typed);
    return goTo(connectUrl({ ...wish, account }, await databaseNow()));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return accountPage({ ...page, wrong: { field: "account", says: error.message } });
  }
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return goTo(`${env.appUrl}/accounts`);
}
