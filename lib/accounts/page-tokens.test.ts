import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, db } from "../db";
import { as, callsOn, chatsOf, connectAccount, newOwner, schedule, settled, withWorker } from "../testing";
import { sealTokens, tokensOf } from "./accounts";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "FACEBOOK");
  const client = as(owner);
  const chats = await chatsOf(client, id, "FACEBOOK");
  const account = async () => {
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
    if (!row) throw new Error("no such account");
    return row;
  };
  const publish = async (content: string, chatId = chats[0]?.id) => {
    const on = {
      socialMediaAccountId: id,
      platformSettings: { type: "FACEBOOK" },
      posts: [{ content, attachmentPaths: [], chatId }],
    };
    return settled(client, (await schedule(client, [on])).id);
  };
  return { id, person, chats, account, publish };
}

/** Every row of every table as text; bytes appear in hex. */
async function wholeDatabase(): Promise<string> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db.execute<{ text: string | null }>(
        sql`select string_agg(t::text, E'\n') as text from ${sql.raw(name)} t`,
      );
      return rows[0]?.text ?? "";
    }),
  );
  return texts.join("\n");
}

test("the database holds a token for each Page, and none of them in clear", async () => {
  const { account, chats, person, publish } = await owned();
  expect((await publish("with a kept token")).overallStatus).toBe("COMPLETED");
  const { accessToken, extra = {} } = tokensOf(await account());
  expect(Object.keys(extra).toSorted()).toEqual(chats.map(({ id }) => `page ${id}`).toSorted());
  const stored = await wholeDatabase();
  expect(stored).toContain(person); // the account is among what is read
  for (const token of [accessToken, ...Object.values(extra)]) {
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString("hex"));
    expect(stored).not.toContain(Buffer.from(token).toString("base64"));
  }
});

test.each<[what: string, extra: (kept: { [key: string]: string }) => { [key: string]: string }]>([
  ["an account without kept tokens, as an earlier release stored it", () => ({})],
  [
    "a kept token that Facebook no longer accepts",
    (kept) => Object.fromEntries(Object.keys(kept).map((key) => [key, "dead"])),
  ],
])("%s: the Page's token is read with the person's, and the post is published", async (_, changed) => {
  const { id, account, person, publish } = await owned();
  const before = await account();
  const tokens = tokensOf(before);
  await db
    .update(accounts)
    .set({ tokensSealed: sealTokens(before, { ...tokens, extra: changed(tokens.extra ?? {}) }) })
    .where(eq(accounts.id, id));
  expect((await publish("read again")).overallStatus).toBe("COMPLETED");
  expect(await callsOn("facebook", person, "publish")).toHaveLength(1);
});
