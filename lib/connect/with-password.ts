import { storeAccount } from "../accounts";
import { db } from "../db";
import { BadRequest } from "../errors";
import { appOf, sessionOf } from "../networks";
import type { Platform } from "../platforms";
import { assertStays } from "../users";
import { connectable } from "./addresses";
import { addToTrace, beginTrace, newTraceCode, stepAt } from "./traces";

type Credentials = { account: string; password: string; host?: string };
/** The link whose end is asked for by its id, where a page waits for it. */
type Link = { jti: string; redirectUri: string };

/**
 * Connects an account by a password that its person made for us: signs in, reads whose account it is, and stores it, all
 * or nothing. The password itself is kept nowhere.
 * @throws BadRequest where the network takes none; PlatformError where it refuses this one; AccountInUse
 */
export async function connectWithPassword(
  ownerId: string,
  platform: Platform,
  credentials: Credentials,
  link?: Link,
): Promise<number> {
  const network = connectable(platform);
  const password = network.connect.kind === "oauth" ? network.connect.password : undefined;
  if (!password) throw new BadRequest(`platform takes no passwords: ${platform}`);
  const tokens = await password.signIn(appOf(network), credentials);
  const profile = await network.profile(sessionOf(network, { accountId: "", username: "", tokens }));
  const account = await db.transaction(async (tx) => {
    await assertStays(tx, ownerId);
    const stored = await storeAccount(tx, network, ownerId, profile, tokens);
    if (!link) return stored;
    const code = newTraceCode();
    await beginTrace(tx, { ...link, code, owner: ownerId, platform, steps: [stepAt("opened")] });
    await addToTrace(tx, code, [stepAt("store")], { outcome: "connected", accountId: stored.id });
    return stored;
  });
  return account.id;
}
