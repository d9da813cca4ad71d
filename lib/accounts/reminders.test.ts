import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, db, users } from "../db";
import { mailsOf, sendQueued } from "../mail/testing/queued";
import { type MailServer, startMailServer } from "../mail/testing/smtp";
import { queueEndingPermissionMails } from "../notices";
import type { Platform } from "../platforms";
import { connectAccount, fault, newOwner } from "../testing";
import { ownPort } from "../testing/own-port";
import { withSettings } from "../testing/settings";
import { instantInWords } from "../time/instant";
import { disconnectAccount, getAccount, requireReconnect } from "./accounts";
import { openSession } from "./session";

const port = await ownPort();
withSettings({ smtpUrl: `smtp://127.0.0.1:${port}` });
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer(port);
});
afterAll(() => server.stop());

const DAY_SECONDS = 86_400;
const inDays = (days: number) => sql`now() + make_interval(secs => ${days * DAY_SECONDS})`;

/** An account of a person with a confirmed address. */
async function owned(platform: Platform) {
  const owner = await newOwner();
  const confirmed = { emailConfirmedAt: sql`now()` };
  const [row] = await db.update(users).set(confirmed).where(eq(users.id, owner)).returning();
  const { id } = await connectAccount(owner, platform);
  return {
    owner,
    id,
    set: (columns: object) => db.update(accounts).set(columns).where(eq(accounts.id, id)),
    account: () => getAccount(owner, id),
    /** Looks for permissions that end within a week, and sends the mails to this person. Returns all that have arrived. */
    async received() {
      await sendQueued(...(await mailsOf(owner, () => queueEndingPermissionMails(7))));
      return server.for(row?.email ?? "");
    },
  };
}

test("Facebook exchanges a token and extends nothing: the owner gets a mail with the end of the permission, and none for another exchange", async () => {
  const { account, received, set } = await owned("FACEBOOK");
  expect(await received()).toEqual([]);
  await set({ tokensExpireAt: inDays(10) });
  await fault({ network: "facebook", operation: "refresh", fault: "not_extended", afterSeconds: DAY_SECONDS });
  await openSession(await account()); // exchanges the token of this account only
  const { username, permissionEndsAt, state } = await account();
  expect(state).toBe("ACTIVE");
  const end = instantInWords(new Date(permissionEndsAt ?? ""));
  const [mail, ...others] = await received();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`${username} on Facebook needs reconnecting before ${end}`);
  for (const words of [
    `Reconnect ${username} on Facebook soon`,
    `Facebook ends the permission on ${end}, and only you can renew it.`,
    "A post that is due later fails unless you have reconnected the account",
    "/accounts",
  ]) {
    expect(mail?.text).toContain(words);
    expect(mail?.html).toContain(words);
  }
  await openSession(await account()); // a token that was not extended is not exchanged again
  expect((await account()).permissionEndsAt).toBe(permissionEndsAt);
  expect(await received()).toHaveLength(1);
});

test("an exchange that extends the token needs no mail", async () => {
  const { account, received, set } = await owned("FACEBOOK");
  await set({ tokensExpireAt: inDays(5) });
  await openSession(await account());
  expect(await account()).toMatchObject({ permissionEndsAt: null });
  expect(await received()).toEqual([]);
});

describe("a permission at LinkedIn, which only its owner can renew", () => {
  test("is mailed a week before its end, and once more before the end of the next one", async () => {
    const { received, set } = await owned("LINKEDIN");
    await set({ permissionEndsAt: inDays(8) });
    expect(await received()).toEqual([]);
    await set({ permissionEndsAt: inDays(6.9) });
    expect(await received()).toHaveLength(1);
    expect(await received()).toHaveLength(1);
    await set({ permissionEndsAt: inDays(6.5) });
    expect(await received()).toHaveLength(2);
  });

  test.each<[string, (one: Awaited<ReturnType<typeof owned>>) => Promise<unknown>]>([
    ["after its end, which the next post reports", ({ set }) => set({ permissionEndsAt: inDays(-1) })],
    ["if the account already needs its owner", ({ id }) => requireReconnect(id, "LinkedIn wants you back")],
    ["if the account was disconnected", ({ owner, id }) => disconnectAccount(db, owner, id)],
    [
      "if the person has switched such mails off",
      ({ owner }) =>
        db
          .update(users)
          .set({ mutedMails: ["accountReconnect"] })
          .where(eq(users.id, owner)),
    ],
  ])("is not mailed %s", async (_, change) => {
    const one = await owned("LINKEDIN");
    await one.set({ permissionEndsAt: inDays(3) });
    await change(one);
    expect(await one.received()).toEqual([]);
  });

  test("of more than a hundred accounts is mailed for each of them", async () => {
    const { owner } = await owned("LINKEDIN");
    await db.execute(sql`
      insert into accounts (owner_id, platform, network_account_id, username, display_name, permission_ends_at)
      select ${owner}, 'LINKEDIN', gen_random_uuid(), 'many', 'Many', now() + interval '2 days' from generate_series(1, 120)`);
    expect(await mailsOf(owner, () => queueEndingPermissionMails(7))).toHaveLength(120);
    await db.delete(accounts).where(eq(accounts.ownerId, owner));
  });
});
