import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, db, dedicatedConnection, passkeys } from "../../db";
import { NotFound } from "../../errors";
import "../../testing";
import { newOwner } from "../../testing";
import { newSession } from "../testing/sessions";
import { softwarePasskey } from "../testing/software-passkey";
import { findUser } from "../users";
import { addPasskey, beginPasskey } from "./add-passkey";
import { askForPasskey, checkPasskey } from "./check-passkey";
import { listPasskeys, removePasskey, renamePasskey } from "./passkeys";

type Options = Parameters<typeof softwarePasskey>[1];

/** A person with one passkey. */
async function withPasskey(options?: Options) {
  const session = await newSession(await newOwner());
  const passkey = softwarePasskey(session.user.id, options);
  const setup = await beginPasskey(session.user);
  const credential = passkey.create(setup.options);
  const added = await addPasskey(session, { ticket: setup.ticket, name: "Laptop", credential });
  return { session, ownerId: session.user.id, passkey, setup, credential, added };
}

/** Answers a new challenge. @param ownerId as the second step of this person */
async function answered(
  passkey: ReturnType<typeof softwarePasskey>,
  answer: Parameters<typeof passkey.get>[1] = {},
  ownerId?: string,
) {
  const { options, ticket } = await askForPasskey(ownerId);
  return shown(await checkPasskey(ticket, passkey.get(options, answer), ownerId ? await findUser(ownerId) : undefined));
}

const shown = (checked: Awaited<ReturnType<typeof checkPasskey>>) =>
  checked && { ownerId: checked.user.id, needsPassword: checked.needsPassword };

/** Does as a password reset does, and commits it when `work` waits for it or has finished. */
async function whileResetting<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  const resetter = await dedicatedConnection("resetter");
  try {
    await resetter.query("begin");
    await resetter.query("update users set session_epoch = session_epoch + 1 where id = $1", [ownerId]);
    await resetter.query("update passkeys set needs_password = true where owner_id = $1", [ownerId]);
    const { rows } = await resetter.query<{ pid: number }>("select pg_backend_pid() as pid");
    let isOver = false;
    const result = work().finally(() => {
      isOver = true;
    });
    result.catch(() => {});
    const waits = sql`select 1 from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => isOver || (await db.execute(waits)).rows.length > 0, { timeout: 45_000 }).toBe(true);
    await resetter.query("commit");
    return await result;
  } finally {
    await resetter.end();
  }
}

describe("adding a passkey", () => {
  test("the first one comes with ten recovery codes, the next with none", async () => {
    const { session, added } = await withPasskey();
    expect(added?.recoveryCodes).toHaveLength(10);
    const setup = await beginPasskey(session.user);
    const second = softwarePasskey(session.user.id).create(setup.options);
    expect(await addPasskey(session, { ticket: setup.ticket, name: "Phone", credential: second })).toEqual({});
    expect((await listPasskeys(session.user.id)).map(({ name }) => name)).toEqual(["Phone", "Laptop"]);
  });

  test("five at once are all added, and one of them comes with recovery codes", async () => {
    const session = await newSession(await newOwner());
    const setups = await Promise.all(Array.from({ length: 5 }, () => beginPasskey(session.user)));
    const added = await Promise.all(
      setups.map(({ options, ticket }) => {
        const credential = softwarePasskey(session.user.id).create(options);
        return addPasskey(session, { ticket, name: "Laptop", credential });
      }),
    );
    expect(added.filter((one) => one?.recoveryCodes)).toHaveLength(1);
    expect(await listPasskeys(session.user.id)).toHaveLength(5);
  });

  test("a challenge works once, and only for the person who asked", async () => {
    const { session, setup, credential } = await withPasskey();
    expect(await addPasskey(session, { ticket: setup.ticket, name: "Again", credential })).toBeUndefined();
    const other = await newSession(await newOwner());
    const theirs = await beginPasskey(session.user);
    const made = softwarePasskey(session.user.id).create(theirs.options);
    expect(await addPasskey(other, { ticket: theirs.ticket, name: "Mine", credential: made })).toBeUndefined();
  });

  test("a credential that is stored already is refused for everyone else", async () => {
    const { passkey } = await withPasskey();
    const other = await newSession(await newOwner());
    const setup = await beginPasskey(other.user);
    const credential = passkey.create(setup.options);
    expect(await addPasskey(other, { ticket: setup.ticket, name: "Mine", credential })).toBeUndefined();
  });

  test("no one renames or removes another person's passkey", async () => {
    const { ownerId } = await withPasskey();
    const [{ id = "" } = {}] = await listPasskeys(ownerId);
    const other = await newOwner();
    await expect(renamePasskey(other, id, "Mine")).rejects.toThrow(NotFound);
    await expect(removePasskey(other, id)).rejects.toThrow(NotFound);
    await expect(removePasskey(other, "me")).rejects.toThrow(NotFound);
    await renamePasskey(ownerId, id, "Work");
    expect(await listPasskeys(ownerId)).toMatchObject([{ name: "Work" }]);
    await removePasskey(ownerId, id);
    expect(await listPasskeys(ownerId)).toEqual([]);
  });
});

describe("answering with a passkey", () => {
  test("identifies its person and stores the use", async () => {
    const { ownerId, passkey } = await withPasskey();
    expect(await answered(passkey)).toEqual({ ownerId, needsPassword: false });
    expect(await listPasskeys(ownerId)).toMatchObject([{ usedAt: expect.any(String) }]);
  });

  test("an answer works once", async () => {
    const { passkey } = await withPasskey();
    const { options, ticket } = await askForPasskey();
    const answer = passkey.get(options);
    expect(await checkPasskey(ticket, answer)).toBeDefined();
    expect(await checkPasskey(ticket, answer)).toBeUndefined();
  });

  test.each<[why: string, answer: Parameters<ReturnType<typeof softwarePasskey>["get"]>[1]]>([
    ["without user verification", { isVerified: false }],
    ["from another site", { origin: "https://evil.example" }],
    ["with another person's handle", { handle: Buffer.alloc(16).toString("base64url") }],
    ["whose passkey became synchronised", { isSynchronised: true }],
  ])("an answer %s is refused", async (_, answer) => {
    const { passkey } = await withPasskey();
    expect(await answered(passkey, answer)).toBeUndefined();
  });

  test("another person's passkey is refused as the second step", async () => {
    const { passkey } = await withPasskey();
    const { ownerId } = await withPasskey();
    expect(await answered(passkey, {}, ownerId)).toBeUndefined();
  });

  test("a counter that does not grow is refused and written to the audit log", async () => {
    const { ownerId, passkey } = await withPasskey();
    expect(await answered(passkey, { counter: 7 })).toBeDefined();
    expect(await answered(passkey, { counter: 7 })).toBeUndefined();
    expect(await answered(passkey, { counter: 0 })).toBeUndefined();
    expect(await answered(passkey, { counter: 8 })).toBeDefined();
    const lines = await db.select().from(auditLog).where(eq(auditLog.subject, ownerId));
    expect(lines.map(({ action }) => action)).toEqual(["factor.added", "factor.refused", "factor.refused"]);
  });

  test("the backup state follows the device", async () => {
    const { ownerId, passkey } = await withPasskey({ isSynchronised: true });
    expect(await listPasskeys(ownerId)).toMatchObject([{ backedUp: true }]);
    expect(await answered(passkey)).toBeDefined();
  });

  test("text that is not a credential is refused", async () => {
    for (const text of ["", "{}", "[", "null", JSON.stringify({ id: "x".repeat(30_000) })]) {
      const { ticket } = await askForPasskey();
      expect(await checkPasskey(ticket, text)).toBeUndefined();
    }
  });

  test("after a password reset it works only after the password, and by itself again once it was used so", async () => {
    const { ownerId, passkey } = await withPasskey();
    await db.update(passkeys).set({ needsPassword: true }).where(eq(passkeys.ownerId, ownerId));
    expect(await answered(passkey)).toEqual({ ownerId, needsPassword: true });
    expect(await answered(passkey, {}, ownerId)).toEqual({ ownerId, needsPassword: false });
    expect(await answered(passkey)).toEqual({ ownerId, needsPassword: false });
  });
});

describe("while the password is reset", () => {
  const rowOf = async (ownerId: string) => (await db.select().from(passkeys).where(eq(passkeys.ownerId, ownerId)))[0];

  test("a passkey does not sign in by itself, and goes on needing the new password", async () => {
    const { ownerId, passkey } = await withPasskey();
    const { options, ticket } = await askForPasskey();
    const credential = passkey.get(options);
    const checked = await whileResetting(ownerId, () => checkPasskey(ticket, credential));
    expect(shown(checked)).toEqual({ ownerId, needsPassword: true });
    expect(await rowOf(ownerId)).toMatchObject({ needsPassword: true });
  });

  test("a passkey is no second step after the old password", async () => {
    const { ownerId, passkey } = await withPasskey();
    const half = await findUser(ownerId);
    const { options, ticket } = await askForPasskey(ownerId);
    const credential = passkey.get(options);
    expect(await whileResetting(ownerId, () => checkPasskey(ticket, credential, half))).toBeUndefined();
    expect(await rowOf(ownerId)).toMatchObject({ needsPassword: true });
  });

  test("no passkey is added", async () => {
    const session = await newSession(await newOwner());
    const { options, ticket } = await beginPasskey(session.user);
    const credential = softwarePasskey(session.user.id).create(options);
    const adding = () => addPasskey(session, { ticket, name: "Laptop", credential });
    await expect(whileResetting(session.user.id, adding)).rejects.toMatchObject({ status: 401 });
    expect(await listPasskeys(session.user.id)).toEqual([]);
  });
});
