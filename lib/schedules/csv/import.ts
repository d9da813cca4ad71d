import { sql } from "drizzle-orm";
import { db, type Tx } from "../../db";
import { type AnswerToStore, assertFirstRequest, claimTurn, storeAnswer } from "../../db/idempotency";
import { csvImportLockText } from "../../db/locks";
import { BadRequest, blockingProblems, problemSentence } from "../../errors";
import { parseInstant, withZulu } from "../../time/instant";
import type { CheckedInput } from "../check/check-input";
import { storeWithImports, takeIds, toSchedule } from "../store";
import { firstProblems } from "./columns";
import { findImportedRows, forgetDeletedRows, rowAnswer, rowKeys } from "./made-before";
import { type CheckedRow, checkRows } from "./row";

/** The length of the excerpt that identifies a row. */
const EXCERPT = 140;

/** The response of an import: the content, the problems and the outcome of each row. */
export function presentCsvImport(rows: ImportedRow[], dryRun: boolean) {
  const count = (outcome: ImportedRow["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  return {
    dryRun,
    counts: {
      ready: count("ready"),
      invalid: count("invalid"),
      created: count("created"),
      existing: count("existing"),
    },
    rows: rows.map(presentRow),
  };
}

function presentRow(row: ImportedRow) {
  const { number, body, outcome, problems } = row;
  const at = body.scheduledTime === undefined ? undefined : parseInstant(body.scheduledTime);
  return {
    row: number,
    outcome,
    ...("id" in row ? { id: row.id } : {}),
    ...(at ? { scheduledTime: withZulu(at.toISOString()) } : {}),
    isDraft: body.isDraft,
    ...rowSummary(row),
    problems: problems.map(({ change: _, ...problem }) => problem),
  };
}

/** Returns the accounts and text of a row, even if its publications have a wrong shape. */
function rowSummary({ body: { publications }, text: given }: ImportedRow): {
  socialMediaAccountIds: number[];
  text: string;
} {
  const all = Array.isArray(publications) ? publications.map(objectFields) : [];
  const [first] = [objectFields(all[0]?.posts)[0]].map(objectFields);
  const text = given ?? (typeof first?.content === "string" ? first.content : "");
  return {
    socialMediaAccountIds: all.map((one) => one.socialMediaAccountId).filter(isId),
    text: text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text,
  };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Returns the fields of a value; none if it is not an object. */
function objectFields(value: unknown): { [name: string]: unknown } {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** `ready`: the row can be created. `existing`: a schedule was created from this row before. */
type Outcome = { outcome: "ready" | "invalid" } | { outcome: "created" | "existing"; id: number };
export type ImportedRow = Pick<CheckedRow, "number" | "text" | "body" | "problems"> & Outcome;

type ImportOptions = {
  /** Checks the rows without creating anything. */
  dryRun: boolean;
  /** Leaves out invalid rows. Otherwise one invalid row prevents the whole import. */
  skipInvalid: boolean;
  /** Given for a request with an `Idempotency-Key`. The key prevents duplicates then, so rows imported before are not skipped. */
  first?: AnswerToStore<ImportedRow[]>;
};

/**
 * Creates a schedule for each row, or for each valid row, in one transaction. Without a key, rows that were imported before are
 * skipped, so that importing a file twice creates each schedule once.
 * @throws BadRequest if it is not such a file or a row is invalid; Conflict; AlreadyAnswered
 */
export async function importSchedules(ownerId: string, bytes: Buffer, how: ImportOptions): Promise<ImportedRow[]> {
  const { dryRun, skipInvalid, first } = how;
  if (first) await assertFirstRequest(db, first.ticket);
  const rows = await checkRows(ownerId, bytes);
  const keys = await rowKeys(rows);
  if (dryRun) return rowOutcomes(rows, keys, await findImportedRows(db, ownerId, [...keys.values()]));
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirstRequest(tx, first.ticket);
    const before = first ? new Map<string, number>() : await lockAndFindImported(tx, ownerId, [...keys.values()]);
    const checked = rowOutcomes(rows, keys, before);
    if (!skipInvalid) assertAllValid(checked);
    const made = await createRows(
      tx,
      ownerId,
      rows.filter((_, index) => checked[index]?.outcome === "ready"),
      first ? undefined : keys,
    );
    const all = checked.map((row): ImportedRow => {
      const id = made.get(row.number);
      return id === undefined ? row : { ...row, outcome: "created", id };
    });
    if (first) await storeAnswer(tx, first.ticket, first.of(all));
    return all;
  });
}

/** Finds the rows that were imported before. Concurrent imports of one owner wait here, so that they see each other's rows. */
async function lockAndFindImported(tx: Tx, ownerId: string, keys: string[]): Promise<Map<string, number>> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${csvImportLockText(ownerId)}, 0))`);
  await forgetDeletedRows(tx, ownerId, keys);
  return findImportedRows(tx, ownerId, keys);
}

function rowOutcomes(rows: CheckedRow[], keys: Map<number, string>, before: Map<string, number>): ImportedRow[] {
  return rows.map(({ checked, ...row }): ImportedRow => {
    const id = before.get(keys.get(row.number) ?? "");
    // Current problems do not matter, such as a time in the past: the row was valid when it was imported.
    if (id !== undefined) return { ...row, problems: [], outcome: "existing", id };
    return { ...row, outcome: checked ? "ready" : "invalid" };
  });
}

/** @throws BadRequest with the problems of each row */
function assertAllValid(rows: ImportedRow[]): void {
  const sentences = rows.filter(({ outcome }) => outcome === "invalid").flatMap(rowSentences);
  if (sentences.length === 0) return;
  throw new BadRequest(...firstProblems(sentences, ": use dryRun=true to get all of them"));
}

function rowSentences({ number, problems }: ImportedRow): string[] {
  return blockingProblems(problems).map((problem) => {
    const { column } = problem as ImportedRow["problems"][number];
    return column
      ? `row ${number}, ${problemSentence({ ...problem, path: column })}`
      : `row ${number}: ${problem.message}`;
  });
}

/** @param keys the keys under which rows are recorded; absent if the request itself has a key */
async function createRows(
  tx: Tx,
  ownerId: string,
  rows: CheckedRow[],
  keys: Map<number, string> | undefined,
): Promise<Map<number, number>> {
  const creatable = rows.flatMap((row): { row: CheckedRow; checked: CheckedInput }[] =>
    row.checked ? [{ row, checked: row.checked }] : [],
  );
  const ids = await takeIds(
    tx,
    creatable.map(({ checked }) => checked),
  );
  const made = new Map<number, number>();
  for (const [index, { row, checked: found }] of creatable.entries()) {
    const fresh = ids[index] ?? found.ids;
    const key = keys?.get(row.number);
    const schedule = toSchedule(fresh.schedule, row.body.isDraft, { ...found, ids: fresh });
    const { id } = await storeWithImports(
      tx,
      ownerId,
      schedule,
      key === undefined ? undefined : rowAnswer(ownerId, key),
    );
    made.set(row.number, id);
  }
  return made;
}
