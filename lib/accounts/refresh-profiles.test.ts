import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db } from "../db";
import type { Platform } from "../platforms";
import { platforms } from "../platforms";
import { as, callsOn, connectAccount, newOwner, readResponse } from "../testing";
import { disconnectAccount, getAccount, requireReconnect, sealTokens } from "./accounts";
import { refreshProfiles } from "./refresh-profiles";

/** A new account whose profile was read this many hours ago and has changed since. */
async function account(platform: Platform, hours: number) {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, platform);
  const now = await getAccount(owner, id);
  const profileReadAt = sql`now() - make_interval(hours => ${hours})`;
  const old = { avatarUrl: "https://cdn.example.com/ended.jpg", displayName: "As it was", username: "before" };
  await db
    .update(accounts)
    .set({ ...old, profileReadAt })
    .where(eq(accounts.id, id));
  const begun = (await callsOn(platforms[platform], person, "profile")).length;
  return {
    owner,
    id,
    now,
    old,
    seen: () => getAccount(owner, id),
    asked: async () => (await callsOn(platforms[platform], person, "profile")).length - begun,
  };
}

describe.each<Platform>(["FACEBOOK", "INSTAGRAM", "THREADS", "LINKEDIN", "TIKTOK"])("on %s", (platform) => {
  test("reads an expiring picture URL and the names again after a day, once", async () => {
    const { owner, id, now, seen, asked } = await account(platform, 25);
    await refreshProfiles();
    const { avatarUrl, displayName, username } = now;
    expect(avatarUrl).toMatch(/^http/);
    expect(await seen()).toMatchObject({ avatarUrl, displayName, username, state: "ACTIVE" });
    const [, listed] = await readResponse(as(owner).get("/v1/accounts"));
    expect(listed).toMatchObject([{ id, accountAvatarUrl: avatarUrl, accountDisplayName: displayName }]);
    const calls = platform === "TIKTOK" ? 2 : 1; // TikTok's user name is in the answer to another call
    expect(await asked()).toBe(calls);
    await refreshProfiles();
    expect(await asked()).toBe(calls);
  });
});

test("skips profiles read today, disconnected accounts, accounts that must be reconnected, and picture URLs that do not expire", async () => {
  const today = await account("LINKEDIN", 23);
  const gone = await account("LINKEDIN", 25);
  const waiting = await account("LINKEDIN", 25);
  const lasting = await account("X_TWITTER", 25);
  await disconnectAccount(db, gone.owner, gone.id);
  await requireReconnect(waiting.id, "LinkedIn wants you back");
  await refreshProfiles();
  for (const { asked } of [today, gone, waiting, lasting]) expect(await asked()).toBe(0);
  for (const { seen, old } of [today, waiting, lasting]) expect(await seen()).toMatchObject(old);
});

test("several workers at once read each profile once", async () => {
  const stale = [];
  for (let n = 0; n < 3; n++) stale.push(await account("LINKEDIN", 25));
  await Promise.all([refreshProfiles(), refreshProfiles(), refreshProfiles()]);
  for (const { asked } of stale) expect(await asked()).toBe(1);
});

describe("a permission that was revoked meanwhile", () => {
  test("is detected: the account must be reconnected, and its name and picture are kept", async () => {
    const { id, now, old, seen } = await account("LINKEDIN", 25);
    const tokensSealed = sealTokens(now, { accessToken: "dead" });
    await db.update(accounts).set({ tokensSealed }).where(eq(accounts.id, id));
    await refreshProfiles();
    expect(await seen()).toMatchObject({ ...old, state: "RECONNECT_REQUIRED" });
  });
});
