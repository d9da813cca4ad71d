import { describe, expect, test } from "vitest";
import { type Migration, readMigrations } from "./migration-files";

// The rules of CONTRIBUTING.md, "Change the database schema". The first migration creates an empty database and may do anything.

/** Tables that may have many rows: a statement that reads all of them under a lock would stop the service. */
const LARGE = [
  ...["accounts", "attachment_imports", "audit_log", "connect_attempts", "connect_traces", "events", "grants"],
  ...["idempotency_keys", "mails", "media", "media_conversions", "media_imports", "posts", "publications"],
  ...[
    "publish_attempts",
    "publish_steps",
    "refresh_tokens",
    "request_log",
    "schedules",
    "sessions",
    "uploads",
    "users",
  ],
  ...["webhook_attempts", "webhook_deliveries"],
];

/** What the previous release may still need. Only a migration with the mark `contract` may do these. */
const BREAKING: [RegExp, string][] = [
  [/\bdrop\s+(?!index\b|trigger\b|not\s+null|default\b)/i, "drops something"],
  [/\brename\b/i, "renames something"],
  [/\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/i, "changes the type of a column"],
  [/\bset\s+not\s+null\b/i, "makes a column NOT NULL"],
  [
    /\badd\s+(column\s+)?(?!constraint\b)(?![^,;]*\b(default|generated)\b)[^,;]*\bnot\s+null\b/i,
    "adds a NOT NULL column without a default",
  ],
];

function problemsOf({ statements, isContract, isOutsideTransaction }: Migration): string[] {
  const sql = statements.map(withoutTexts);
  const created = sql.flatMap((one) => /^create\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/i.exec(one)?.[1] ?? []);
  const isLarge = (table = "") => LARGE.includes(table) && !created.includes(table);
  const dropped = sql.map((one) => /^drop\s+index\s+concurrently\s+if\s+exists\s+"?(\w+)/i.exec(one)?.[1]);
  const problems = sql.flatMap((one) => {
    const index =
      /^create\s+(?:unique\s+)?index\s+(concurrently\s+)?(?:if\s+not\s+exists\s+)?"?(\w+)"?\s+on\s+(?:only\s+)?"?(\w+)/i.exec(
        one,
      );
    const [, concurrently, name, table] = index ?? [];
    const constraint = /^alter\s+table\s+(?:only\s+)?"?(\w+)"?\s+add\s+constraint\b(?!.*\bnot\s+valid\b)/is.exec(one);
    return [
      ...(isContract
        ? []
        : BREAKING.filter(([pattern]) => isOutsideFunctions(one) && pattern.test(one)).map(([, what]) => what)),
      ...(index && !concurrently && isLarge(table) ? [`builds an index on ${table} without CONCURRENTLY`] : []),
      ...(concurrently && !isOutsideTransaction ? ["uses CONCURRENTLY without the mark `outside a transaction`"] : []),
      ...(concurrently && !dropped.includes(name)
        ? [`does not first drop ${name}, which a failed try leaves behind`]
        : []),
      ...(constraint && isLarge(constraint[1]) ? [`adds a constraint to ${constraint[1]} without NOT VALID`] : []),
    ];
  });
  return problems;
}

/** A function's body runs later, and none of the rules is about it. */
function isOutsideFunctions(statement: string): boolean {
  return !/^create\s+(or\s+replace\s+)?(function|procedure)\b/i.test(statement);
}

/** Removes comments and quoted texts, and the bodies of functions. */
function withoutTexts(statement: string): string {
  return statement
    .replace(/--.*$/gm, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .trim();
}

function migrationOf(statements: string[], marks: Partial<Migration> = {}): Migration {
  return { name: "0001_a", when: 1, hash: "", statements, isContract: false, isOutsideTransaction: false, ...marks };
}

test("every migration after the first keeps the rules", () => {
  const problems = readMigrations()
    .slice(1)
    .map((migration) => [migration.name, problemsOf(migration)]);
  expect(problems.filter(([, found = []]) => found.length > 0)).toEqual([]);
});

test("each migration is newer than the one before it: releases find out by time which ones are missing", () => {
  const times = readMigrations().map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

describe("the rules", () => {
  test.each([
    ['ALTER TABLE "posts" ADD COLUMN "note" text;'],
    ['ALTER TABLE "posts" ADD COLUMN "sent" boolean DEFAULT false NOT NULL;'],
    ['CREATE TABLE "notes" ("id" uuid NOT NULL, "text" text NOT NULL);'],
    ['DROP INDEX "posts_by_file";'],
    ['ALTER TABLE "posts" ALTER COLUMN "note" DROP NOT NULL;'],
    ["CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE a; END $$;"],
    ["COMMENT ON TABLE posts IS 'drop table';"],
    ['CREATE INDEX "partners_by_name" ON "partners" USING btree ("name");'],
  ])("allow %s", (statement) => {
    expect(problemsOf(migrationOf([statement]))).toEqual([]);
  });

  test.each([
    ['DROP TABLE "posts";', "drops something"],
    ['ALTER TABLE "posts" DROP COLUMN "note";', "drops something"],
    ['ALTER TABLE "posts" RENAME COLUMN "note" TO "text";', "renames something"],
    ['ALTER TABLE "posts" ALTER COLUMN "note" SET DATA TYPE bigint;', "changes the type of a column"],
    ['ALTER TABLE "posts" ALTER COLUMN "note" SET NOT NULL;', "makes a column NOT NULL"],
    ['ALTER TABLE "posts" ADD COLUMN "note" text NOT NULL;', "adds a NOT NULL column without a default"],
    ['CREATE INDEX "by_note" ON "posts" USING btree ("note");', "builds an index on posts without CONCURRENTLY"],
    ['ALTER TABLE "posts" ADD CONSTRAINT "one" CHECK (true);', "adds a constraint to posts without NOT VALID"],
  ])("refuse %s", (statement, problem) => {
    expect(problemsOf(migrationOf([statement]))).toEqual([problem]);
  });

  test("allow a breaking change in a migration that is marked as contract", () => {
    expect(problemsOf(migrationOf(['DROP TABLE "posts";'], { isContract: true }))).toEqual([]);
  });

  test("want an index built concurrently to run outside a transaction, after dropping what a failed try left", () => {
    const create = 'CREATE INDEX CONCURRENTLY "by_note" ON "posts" USING btree ("note");';
    expect(problemsOf(migrationOf([create]))).toHaveLength(2);
    const both = ['DROP INDEX CONCURRENTLY IF EXISTS "by_note";', create];
    expect(problemsOf(migrationOf(both, { isOutsideTransaction: true }))).toEqual([]);
  });
});
