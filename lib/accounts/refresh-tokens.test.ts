import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { connectWithPassword } from "../connect";
import { accounts, db } from "../db";
import { networkOf } from "../networks";
import type { Platform } from "../platforms";
import { callsOn, connectAccount, newOwner, newPerson } from "../testing";
import { disconnectAccount, getAccount, requireReconnect, tokensOf } from "./accounts";
import { refreshEndingTokens } from "./refresh-tokens";

const days = (count: number) => sql`now() + make_interval(secs => ${count * 86_400})`;

/** A new account whose token expires in this many days and was last refreshed this many days ago. */
async function account(platform: Platform, endsInDays: number, idleDays: number) {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, platform);
  const set = { tokensExpireAt: days(endsInDays), tokensRefreshedAt: days(-idleDays) };
  await db.update(accounts).set(set).where(eq(accounts.id, id));
  return { owner, id, refreshes: async () => (await callsOn("x", person, "refresh")).length };
}

describe("a token that no publishing refreshes", () => {
  test("is refreshed once a week has passed since the last refresh", async () => {
    const idle = await account("X_TWITTER", -6, 8);
    await refreshEndingTokens();
    expect(await idle.refreshes()).toBe(1);
    expect(await getAccount(idle.owner, idle.id)).toMatchObject({ state: "ACTIVE", refreshClaimUntil: null });
    await refreshEndingTokens();
    expect(await idle.refreshes()).toBe(1);
  });

  test("is refreshed days before it expires if the network requires that", async () => {
    const [ending, lasting] = [await account("INSTAGRAM", 5, 2), await account("INSTAGRAM", 40, 20)];
    const refresh = networkOf("INSTAGRAM").refresh;
    if (!refresh) throw new Error("Instagram's tokens are not renewed");
    const asked = vi.spyOn(refresh, "run"); // Instagram refuses to refresh a token that is less than a day old, and its sandbox does not record whose it is.
    await refreshEndingTokens();
    const shown = asked.mock.calls.map(([, { accessToken }]) => accessToken);
    asked.mockRestore();
    const tokenOf = async ({ owner, id }: typeof ending) => tokensOf(await getAccount(owner, id)).accessToken;
    expect([shown.includes(await tokenOf(ending)), shown.includes(await tokenOf(lasting))]).toEqual([true, false]);
    expect(await getAccount(ending.owner, ending.id)).toMatchObject({ state: "ACTIVE", refreshClaimUntil: null });
  });

  test("is not refreshed if it was used recently, or if the account is disconnected or must be reconnected", async () => {
    const lately = await account("X_TWITTER", -1, 1);
    const gone = await account("X_TWITTER", -6, 8);
    const waiting = await account("X_TWITTER", -6, 8);
    await disconnectAccount(db, gone.owner, gone.id);
    await requireReconnect(waiting.id, "X wants you back");
    await refreshEndingTokens();
    expect([await lately.refreshes(), await gone.refreshes(), await waiting.refreshes()]).toEqual([0, 0, 0]);
  });
});

test("accounts whose tokens cannot be renewed do not keep the others waiting, and several workers renew each token once", async () => {
  const owner = await newOwner();
  await db.execute(sql`
    insert into accounts (owner_id, platform, network_account_id, username, display_name, tokens_expire_at, tokens_refreshed_at)
    select ${owner}, 'X_TWITTER', gen_random_uuid(), 'gone', 'Gone', now() - interval '60 days', now() - interval '60 days'
    from generate_series(1, 120)`);
  const idle = [await account("X_TWITTER", -6, 8), await account("X_TWITTER", -6, 8)];
  await Promise.all([refreshEndingTokens(), refreshEndingTokens()]);
  expect(await Promise.all(idle.map(({ refreshes }) => refreshes()))).toEqual([1, 1]);
  await db.delete(accounts).where(eq(accounts.ownerId, owner));
});

describe("a Bluesky session created with an app password", () => {
  async function signedIn() {
    const owner = await newOwner();
    const [person, password] = [newPerson(), "sand-box7-pass-word"];
    const id = await connectWithPassword(owner, "BLUE_SKY", { account: `${person}.bsky.test`, password });
    return { owner, id, person, password };
  }

  test("is refreshed after a week without use, so that it never reaches its limit of ninety days", async () => {
    const { owner, id, person } = await signedIn();
    const before = tokensOf(await getAccount(owner, id)).refreshToken;
    const set = { tokensExpireAt: days(-8), tokensRefreshedAt: days(-8) };
    await db.update(accounts).set(set).where(eq(accounts.id, id));
    await refreshEndingTokens();
    const account = await getAccount(owner, id);
    expect(account).toMatchObject({ state: "ACTIVE", refreshClaimUntil: null });
    expect(tokensOf(account).refreshToken).not.toBe(before);
    const calls = await Promise.all(["refresh", "token"].map((operation) => callsOn("bluesky", person, operation)));
    expect(calls.map(({ length }) => length)).toEqual([1, 1]);
  });

  test("is all that is stored: neither the password nor anything derived from it is kept", async () => {
    const { owner, id, password } = await signedIn();
    const { tokensSealed, ...shown } = await getAccount(owner, id);
    const tokens = tokensOf({ ...shown, tokensSealed });
    expect(Object.keys(tokens).toSorted()).toEqual(["accessToken", "expiresAt", "extra", "refreshToken"]);
    expect(Object.keys(tokens.extra ?? {}).toSorted()).toEqual(["did", "pds"]);
    expect(JSON.stringify([shown, tokens])).not.toContain(password);
  });
});
