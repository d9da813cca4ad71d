import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { listUnusableDestinations, recordDestination, storedDestinations } from "../accounts";
import { accounts, connectAttempts, db, destinations } from "../db";
import { env } from "../env";
import { appOf, networkOf } from "../networks";
import { newOwner, newPerson } from "../testing";
import { dashboardReturn } from "./addresses";
import { readUpdates } from "./bots";
import { openAttempt } from "./open";

/** Opens a link and presses Start in Telegram. */
async function start(owner: string, person: string, jti = randomUUID()) {
  const input = { jti, owner, platform: "TELEGRAM", redirectUri: dashboardReturn() } as const;
  const attempt = await openAttempt(input);
  expect(attempt.nonce).toBeUndefined();
  const body = new URLSearchParams({ account: person, decision: "allow" });
  expect((await fetch(attempt.url, { method: "POST", body })).status).toBe(200);
  return attempt;
}

/** Reads the bot's news, ours or another process's turn, until the attempt has been taken. */
async function taken(attemptId: string) {
  const network = networkOf("TELEGRAM");
  return vi.waitFor(async () => {
    await readUpdates(network, 0);
    const [row] = await db.select().from(connectAttempts).where(eq(connectAttempts.id, attemptId));
    expect(row?.consumedAt).not.toBeNull();
    return row;
  }, 8_000);
}

describe("a code that a person sends to the bot", () => {
  test("connects the person's account for the user who opened the link", async () => {
    const owner = await newOwner();
    const person = newPerson();
    const row = await taken((await start(owner, person)).id);
    expect(row?.completedAt).not.toBeNull();
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, owner))).toMatchObject([
      { id: row?.accountId, platform: "TELEGRAM", username: person, state: "ACTIVE" },
    ]);
  });

  test("of a link in two tabs connects once and does not block later connects", async () => {
    const owner = await newOwner();
    const [person, jti] = [newPerson(), randomUUID()];
    const input = { jti, owner, platform: "TELEGRAM", redirectUri: dashboardReturn() } as const;
    const tabs = [await openAttempt(input), await openAttempt(input)];
    for (const { url } of tabs) {
      await fetch(url, { method: "POST", body: new URLSearchParams({ account: person, decision: "allow" }) });
    }
    const rows = await Promise.all(tabs.map(({ id }) => taken(id)));
    expect(rows.filter((row) => row?.completedAt)).toHaveLength(1);
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, owner))).toHaveLength(1);
    const other = await newOwner();
    expect((await taken((await start(other, newPerson())).id))?.completedAt).not.toBeNull();
  });

  test("C20: of a person whose account belongs to another user fails and does not block later connects", async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const person = newPerson();
    await taken((await start(first, person)).id);
    const row = await taken((await start(second, person)).id);
    expect([row?.completedAt, row?.failure]).toEqual([
      null,
      "account in use: This Telegram account was already used by another user of this service",
    ]);
    expect((await taken((await start(second, newPerson())).id))?.completedAt).not.toBeNull();
  });

  test("works once and only until it expires", async () => {
    const owner = await newOwner();
    const attempt = await start(owner, newPerson());
    await taken(attempt.id);
    // Another person opens the same address: the code has been used.
    const thief = newPerson();
    await fetch(attempt.url, { method: "POST", body: new URLSearchParams({ account: thief, decision: "allow" }) });
    const input = { jti: randomUUID(), owner, platform: "TELEGRAM", redirectUri: dashboardReturn() } as const;
    const late = await openAttempt(input);
    await db
      .update(connectAttempts)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(connectAttempts.id, late.id));
    await fetch(late.url, { method: "POST", body: new URLSearchParams({ account: thief, decision: "allow" }) });
    await taken((await start(await newOwner(), newPerson())).id); // everything before it has been read by now
    expect(await db.select().from(accounts).where(eq(accounts.username, thief))).toEqual([]);
  });
});

describe("a channel in which the bot lost its permission", () => {
  test("is marked with the reason for every account that lists it, and recovers with the permission", async () => {
    const [owner, colleague] = [await newOwner(), await newOwner()];
    const person = newPerson();
    const { accountId } = (await taken((await start(owner, person)).id)) ?? {};
    const { accountId: theirs } = (await taken((await start(colleague, newPerson())).id)) ?? {};
    const network = networkOf("TELEGRAM");
    if (network?.connect.kind !== "bot" || !accountId || !theirs) throw new Error("Telegram was not connected");
    const { channel } = await network.connect.addUrls(appOf(network));
    const listed = async (id: number) => {
      await readUpdates(network, 0);
      return ((await storedDestinations([id])).get(id) ?? []).map(({ title }) => title);
    };
    const title = `${person.replace(/^p/, "P")}'s channel`;
    await expect.poll(() => listed(accountId), { timeout: 45_000 }).toContain(title);
    const [shared] = (await storedDestinations([accountId])).get(accountId)?.filter((one) => one.title === title) ?? [];
    if (shared) await recordDestination(db, theirs, shared);

    const change = (rights: string) =>
      fetch(channel, { method: "POST", body: new URLSearchParams({ account: person, decision: "allow", rights }) });
    await change("none");
    await expect.poll(() => listed(accountId), { timeout: 45_000 }).not.toContain(title);
    for (const id of [accountId, theirs]) {
      expect(await listUnusableDestinations(id)).toEqual([{ ...shared, problem: "NO_RIGHT" }]);
    }
    await change("post");
    await expect.poll(() => listed(theirs), { timeout: 45_000 }).toContain(title);
    expect(await listUnusableDestinations(accountId)).toEqual([]);
  });
});

test("a group that became a supergroup is listed under its new id", async () => {
  const owner = await newOwner();
  const person = newPerson();
  const { accountId } = (await taken((await start(owner, person)).id)) ?? {};
  const steer = async (action: string, body: object): Promise<string> => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${env.sandbox?.url}/_control/telegram/${action}`, init);
    return (await answer.json()).chatId;
  };
  const groups = async () => {
    const network = networkOf("TELEGRAM");
    await readUpdates(network, 0);
    const rows = await db
      .select()
      .from(destinations)
      .where(eq(destinations.accountId, accountId ?? 0));
    return rows.filter(({ title }) => title === "Friends").map(({ chatId, usable }) => [chatId, usable]);
  };
  const group = await steer("make-group", { person, title: "Friends" });
  await expect.poll(groups, { timeout: 45_000 }).toEqual([[group, true]]);
  const supergroup = await steer("upgrade-group", { chatId: group });
  await expect.poll(groups, { timeout: 45_000 }).toEqual([[supergroup, true]]);
});
