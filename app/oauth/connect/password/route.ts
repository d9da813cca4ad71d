import { accountPage } from "@/components/connect/account-page";
import { refused } from "@/components/connect/answers";
import { goTo, readWish, toSignIn } from "@/components/connect/wish";
import { connectWithPassword, locationAfter } from "@/lib/connect";
import { env } from "@/lib/env";
import { AccountInUse, BadRequest } from "@/lib/errors";
import { PlatformError } from "@/lib/networks";

export const dynamic = "force-dynamic";

/** The other way in: a name and a password that the person made for us. It is used once and shown to nobody again. */
export async function POST(request: Request): Promise<Response> {
  try {
    const asked = await readWish(request);
    if (!asked) return toSignIn();
    const { wish, network, account, password, carried } = asked;
    const { connect } = network;
    if (connect.kind !== "oauth" || !connect.account || !connect.password) {
      throw new BadRequest(`platform takes no passwords: ${network.platform}`);
    }
    try {
      const accountId = await connectWithPassword(wish.owner, wish.platform, { account, password }, wish);
      return goTo(locationAfter(wish.redirectUri, accountId));
    } catch (error) {
      if (!(error instanceof PlatformError || error instanceof AccountInUse)) throw error;
      const { platform, name } = network;
      const asking = { account: connect.account, password: connect.password };
      const wrong = { field: "password", says: error.message } as const;
      return accountPage({ network: name, platform, ...asking, carried, typed: account, wrong });
    }
  } catch (error) {
    return refused(error, request);
  }
}

/** A reload or a bookmark of the form's answer leads back to where the form is. */
export function GET(): Response {
  return goTo(`${env.appUrl}/accounts`);
}
