import { accountPage } from "@/components/plain/connect/account-page";
import { refused } from "@/components/plain/connect/answers";
import { connectUrl } from "@/lib/connect";
import { askedAbout, goTo, readWish, toSignIn } from "@/lib/connect/wish";
import { databaseNow } from "@/lib/db";
import { env } from "@/lib/env";
import { appOf, PlatformError } from "@/lib/networks";
import { sessionUser } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Asks whose account it is, where a network has to know that before it can ask its person. */
export async function GET(request: Request): Promise<Response> {
  if (!(await sessionUser(request.headers))) return toSignIn();
  const page = askedAbout(new URL(request.url).searchParams);
  return page ? accountPage(page) : goTo(`${env.appUrl}/accounts`);
}

/** The name is looked up before the browser leaves: a mistyped one is said beside its field. */
export async function POST(request: Request): Promise<Response> {
  try {
    const asked = await readWish(request);
    if (!asked) return toSignIn();
    const page = askedAbout(asked.form);
    if (!page) return goTo(`${env.appUrl}/accounts`);
    try {
      const account = await page.account.find(appOf(asked.network), asked.account);
      return goTo(connectUrl({ ...asked.wish, account }, await databaseNow()));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return accountPage({ ...page, wrong: { field: "account", says: error.message } });
    }
  } catch (error) {
    return refused(error, request);
  }
}
