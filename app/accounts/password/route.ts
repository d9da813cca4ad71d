import { accountPage } from "@/components/plain/connect/account-page";
import { refused } from "@/components/plain/connect/answers";
import { connectWithPassword, returnLocation } from "@/lib/connect";
import { askedAbout, goTo, readWish, toSignIn } from "@/lib/connect/wish";
import { env } from "@/lib/env";
import { AccountInUse } from "@/lib/errors";
import { PlatformError } from "@/lib/networks";

export const dynamic = "force-dynamic";

/** The other way in: a name and a password that the person made for us. It is used once and shown to nobody again. */
export async function POST(request: Request): Promise<Response> {
  try {
    const asked = await readWish(request);
    if (!asked) return toSignIn();
    const { wish, account, password } = asked;
    const page = askedAbout(asked.form);
    if (!page?.password) return goTo(`${env.appUrl}/accounts`);
    try {
      const accountId = await connectWithPassword(wish.owner, wish.platform, { account, password }, wish);
      return goTo(returnLocation(wish.redirectUri, accountId));
    } catch (error) {
      if (!(error instanceof PlatformError || error instanceof AccountInUse)) throw error;
      return accountPage({ ...page, wrong: { field: "password", says: error.message } });
    }
  } catch (error) {
    return refused(error, request);
  }
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return goTo(`${env.appUrl}/accounts`);
}
