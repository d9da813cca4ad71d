import { refused, speaks } from "@/components/plain/connect/answers";
import { connectUrl, openAttempt } from "@/lib/connect";
import { goTo, namePath, readWish, toSignIn } from "@/lib/connect/wish";
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
      await openAttempt({ ...wish, languages: speaks(request) });
      return goTo(`${env.appUrl}/accounts/connect/${wish.jti}`);
    }
    const question = network.connect.account;
    if (!question) return goTo(connectUrl(wish, await databaseNow()));
    if (!asked.account) return goTo(`${env.appUrl}${namePath(asked)}`);
    const found = await question.find(appOf(network), asked.account).catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined; // the page that asks for a name says what is wrong with it
      throw error;
    });
    return goTo(
      found ? connectUrl({ ...wish, account: found }, await databaseNow()) : `${env.appUrl}${namePath(asked)}`,
    );
  } catch (error) {
    return refused(error, request, true);
  }
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return goTo(`${env.appUrl}/accounts`);
}
