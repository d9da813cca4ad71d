import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "../lib/db";
import { countByKey, resealColumn, sealFor, unsealFrom } from "../lib/db/sealed";
import "../lib/testing/database";
import { sealedColumns } from "./keys";

describe("keys reseal", () => {
  test("knows every sealed column of the database", async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and column_name like '%\\_sealed'`,
    );
    // The stored answers of repeated requests are JSON, and only those with a secret are sealed.
    const expected = [...rows.map(({ name }) => name), "idempotency_keys.answer"].toSorted();
    expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(expected);
  });

  // e2e/processes/keys.spec.ts adds and removes a key.
  test("changes nothing while there is one key, and counts what depends on it", async () => {
    for (const column of sealedColumns) {
      expect(await resealColumn(column)).toBe(0);
      expect((await countByKey(column)).every(({ age }) => age === 0 || age === undefined)).toBe(true);
    }
  });
});

describe("a sealed value", () => {
  test.each(sealedColumns.map((column) => [`${column.table}.${column.column}`, column] as const))(
    "of %s can be read only in its own row and column",
    (name, column) => {
      const sealed = sealFor(column, "row 1", "secret");
      expect(unsealFrom(column, "row 1", sealed)).toBe("secret");
      const reason = `a sealed value (${column.purpose}) was changed, or was sealed for another place`;
      expect(() => unsealFrom(column, "row 2", sealed)).toThrow(`${name} row 2: ${reason}`);
      for (const other of sealedColumns) {
        if (other !== column) expect(() => unsealFrom(other, "row 1", sealed)).toThrow("a sealed value");
      }
    },
  );
});
