import { randomInt, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { listUnusableDestinations, recordDestination, storedDestinations } from "../accounts";
import { accounts, connectAttempts, db, destinations, users } from "../db";
import { env } from "../env";
import { appOf, networkOf } from "../networks";
import { newOwner, newPerson } from "../testing";
import { dashboardReturn } from "./addresses";
import { applyAnswer } from "./bot-questions";
import { findBotConnection, readUpdates } from "./bots";
import { openAttempt } from "./open";

/** Opens a link and presses Start in Telegram. */
async function start(owner: string, person: string, jti = randomUUID(), reconnects?: number) {
  const input = { jti, owner, platform: "TELEGRAM", redirectUri: dashboardReturn(reconnects) } as const;
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

  test("of another person than the account to reconnect changes nothing, and the page can offer both choices", async () => {
    const owner = await newOwner();
    const [first, second, jti] = [newPerson(), newPerson(), randomUUID()];
    const { accountId } = (await taken((await start(owner, first)).id)) ?? {};
    const row = await taken((await start(owner, second, jti, accountId ?? 0)).id);
    expect(row?.failure).toBe(`other account: @${second} was chosen instead of @${first}`);
    expect(await findBotConnection(owner, jti)).toMatchObject({ reason: "other account", reconnects: accountId });
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, owner))).toMatchObject([{ id: accountId }]);
    expect((await taken((await start(owner, first, randomUUID(), accountId ?? 0)).id))?.accountId).toBe(accountId);
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

/** Presses Start and nothing else, and waits for the bot's question. */
async function asked(url: string, person: string): Promise<Question> {
  await fetch(url, { method: "POST", body: new URLSearchParams({ account: person, decision: "start" }) });
  return vi.waitFor(async () => {
    await readUpdates(networkOf("TELEGRAM"), 0);
    const question = await chatOf(url, person);
    expect(question.buttons).toHaveLength(2);
    return question;
  }, 8_000);
}

type Question = { text: string; message: string; buttons: string[] };

/** The last message of the bot in a person's chat. */
async function chatOf(url: string, person: string): Promise<Question> {
  const html = await (await fetch(chatUrl(url, person))).text();
  const message = html.split("<form").at(-1) ?? "";
  return {
    text: /<p class="text">([^<]*)</.exec(message)?.[1] ?? "",
    message: /name="message" value="(\d+)"/.exec(message)?.[1] ?? "",
    buttons: [...message.matchAll(/name="data" value="([^"]*)"/g)].map(([, data]) => data ?? ""),
  };
}

function chatUrl(url: string, person: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}/chat?account=${person}`;
}

async function press(url: string, person: string, { message }: Question, data = ""): Promise<void> {
  const body = new URLSearchParams({ account: person, message, data });
  expect((await fetch(chatUrl(url, person), { method: "POST", redirect: "manual", body })).status).toBe(303);
}

async function open(owner: string) {
  return openAttempt({ jti: randomUUID(), owner, platform: "TELEGRAM", redirectUri: dashboardReturn() });
}

const accountsOf = (owner: string) => db.select().from(accounts).where(eq(accounts.ownerId, owner));

describe("a person who presses Start on someone else's link", () => {
  test("is asked by name, keeps their account with No, and the page reports it", async () => {
    const owner = await newOwner();
    await db.update(users).set({ name: "Ada\nat evil.example" }).where(eq(users.id, owner));
    const attempt = await open(owner);
    const person = newPerson();
    const question = await asked(attempt.url, person);
    expect(question.text.split("\n")[0]).toBe(`Connect @${person} to Ada at evil example at Carillon?`);
    expect(await accountsOf(owner)).toEqual([]);
    await press(attempt.url, person, question, question.buttons[1]);
    const row = await taken(attempt.id);
    expect([row?.accountId, row?.failure]).toEqual([null, "denied: Connecting Telegram was declined"]);
    expect(await accountsOf(owner)).toEqual([]);
    expect(await findBotConnection(owner, row?.stateId ?? "")).toMatchObject({ state: "failed", reason: "declined" });
    await expect
      .poll(() => chatOf(attempt.url, person))
      .toMatchObject({
        text: "Nothing was connected, and the link no longer works.",
        buttons: [],
      });
  });

  test("is connected only with Yes, and the question is replaced by the result", async () => {
    const owner = await newOwner();
    const attempt = await open(owner);
    const person = newPerson();
    const question = await asked(attempt.url, person);
    await press(attempt.url, person, question, question.buttons[0]);
    expect((await taken(attempt.id))?.completedAt).not.toBeNull();
    expect(await accountsOf(owner)).toMatchObject([{ username: person }]);
    await expect
      .poll(() => chatOf(attempt.url, person))
      .toMatchObject({
        text: expect.stringContaining(`Done: @${person} is connected to`),
        buttons: [],
      });
  });

  test("does not stop the other person who was asked: the first Yes decides", async () => {
    const owner = await newOwner();
    const attempt = await open(owner);
    const [first, second] = [newPerson(), newPerson()];
    const questions = [await asked(attempt.url, first), await asked(attempt.url, second)] as const;
    await press(attempt.url, second, questions[1], questions[1].buttons[0]);
    await taken(attempt.id);
    await press(attempt.url, first, questions[0], questions[0].buttons[0]);
    await expect
      .poll(
        async () => {
          await readUpdates(networkOf("TELEGRAM"), 0);
          return (await chatOf(attempt.url, first)).text;
        },
        { timeout: 45_000 },
      )
      .toContain("used already or is too old");
    expect(await accountsOf(owner)).toMatchObject([{ username: second }]);
  });
});

describe("an answer", () => {
  const profile = () => {
    const name = newPerson();
    return { accountId: String(randomInt(1e9, 1e12)), username: name, displayName: name };
  };
  const answered = async (data: string, by = profile()) => {
    const answer = { kind: "answer", id: "1", messageId: "2", data, profile: by } as const;
    const reply = await db.transaction((tx) => applyAnswer(tx, networkOf("TELEGRAM"), answer));
    return reply.text;
  };
  const codeOf = (url: string) => new URL(url).searchParams.get("start") ?? "";

  test("pressed twice, or delivered twice, connects once and says so both times", async () => {
    const owner = await newOwner();
    const code = codeOf((await open(owner)).url);
    const by = profile();
    expect(await answered(`yes:${code}`, by)).toContain(`Done: @${by.username} is connected to`);
    expect(await answered(`yes:${code}`, by)).toContain("Done: you are connected");
    expect(await answered(`no:${code}`)).toContain("used already");
    expect(await answered(`yes:${code}`)).toContain("used already");
    expect(await accountsOf(owner)).toMatchObject([{ username: by.username }]);
  });

  test("after the link expired, or with data that we did not send, connects nothing", async () => {
    const owner = await newOwner();
    const attempt = await open(owner);
    const code = codeOf(attempt.url);
    const past = sql`now() - interval '1 second'`;
    await db.update(connectAttempts).set({ expiresAt: past }).where(eq(connectAttempts.id, attempt.id));
    for (const data of [`yes:${code}`, `yes:${randomUUID()}`, "yes:", code, "yes:a b", ""]) {
      expect(await answered(data)).toContain("too old");
    }
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("fits into the 64 bytes of a button", async () => {
    const { url } = await open(await newOwner());
    expect(Buffer.byteLength(`yes:${codeOf(url)}`)).toBeLessThanOrEqual(64);
  });

  test("of a user who was suspended meanwhile connects nothing", async () => {
    const owner = await newOwner();
    const code = codeOf((await open(owner)).url);
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    expect(await answered(`yes:${code}`)).toContain("Go back to Carillon to see the reason");
    expect(await accountsOf(owner)).toEqual([]);
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
