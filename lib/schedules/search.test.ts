import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "../db";
import { MARKS } from "../search-text";
import { as, connectAccount, newOwner, schedule } from "../testing";
import { findByIndex, TEXT_SETTINGS } from "./search";

// The index is built by functions in the database, which must read the same texts in the same way as the code.
describe("the functions of the database", () => {
  test("read every setting that contains text", async () => {
    const settings = Object.fromEntries([...TEXT_SETTINGS].map((name) => [name, `text of ${name}`]));
    const { rows } = await db.execute<{ texts: string }>(
      sql`select setting_texts(${JSON.stringify(settings)}::jsonb) as texts`,
    );
    for (const text of Object.values(settings)) expect(rows[0]?.texts).toContain(text);
  });

  test("remove the same marks", async () => {
    const { rows } = await db.execute<{ source: string }>(sql`
      select pg_get_functiondef('text_grams(text, text)'::regprocedure) as source`);
    expect(rows[0]?.source).toContain(`'[${MARKS}]'`);
  });

  test("decompose as PostgreSQL does", async () => {
    const texts = [
      "Café ﬁ",
      "q\u0301\u0316",
      `ก${"\u0e38\u0e48".repeat(9)}`,
      "한국어 ガ ﾊﾞ",
      "👩‍👩‍👧‍👦".repeat(50),
      "ж".repeat(99),
    ];
    for (const text of texts) {
      const { rows } = await db.execute(sql`select decomposed(${text}) = normalize(${text}, NFKD) as same`);
      expect(rows).toEqual([{ same: true }]);
    }
  });

  test("take time linear in the text, even if its marks are in the wrong order", async () => {
    const hostile = (length: number) => `a${"\u0301".repeat(length / 2)}${"\u0316".repeat(length / 2)}`;
    const { rows } = await db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = '1s'`);
      return tx.execute(sql`
        select text_grams(${hostile(19_998)}, 'me') as grams, length(decomposed(${hostile(100_000)})) as characters`);
    });
    expect(rows).toEqual([{ grams: "' me' 'a'", characters: 103_334 }]);
  });
});

test("a search without a hit is answered by the index", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "X_TWITTER");
  const part = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "a bell" }] };
  const made = await schedule(as(owner), [part], new Date(Date.now() + 3_600_000));
  expect(await findByIndex(owner, "bell")).toContain(made.id);
  expect(await findByIndex(owner, "zzzqqq")).not.toContain(made.id);
  const plan = await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`); // in a small table, reading all rows is cheaper
    const { rows } = await tx.execute<{ [line: string]: string }>(sql`
      explain select id from posts where text_grams(content, owner_id::text) @@ '''zzz'' & ''zzq'''::tsquery`);
    return rows.map((row) => row["QUERY PLAN"]).join();
  });
  expect(plan).toContain("posts_by_text");
});
