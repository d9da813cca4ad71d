import { sql } from "drizzle-orm";
import { db, type Tx } from "../../db";
import { assertFirst, claimTurn, type FirstAnswer, keepAnswer } from "../../db/idempotency";
import { BadRequest, refusalsIn, sentenceOf } from "../../errors";
import { parseInstant, withZulu } from "../../time/instant";
import type { Examined } from "../check/check-input";
import { keepSchedule } from "../create";
import { freshIds, scheduleOf } from "../store";
import { shortened } from "./columns";
import { firstOf, forgetDeleted, madeBefore, rowKeys } from "./made-before";
import { type CheckedRow, checkRows } from "./row";

/** As much of a text as tells one row from another. */
const EXCERPT = 140;

/** What importing answers, a row at a time: what it says, what is wrong with it, and what became of it. */
export function presentImport(rows: ImportedRow[], dryRun: boolean) {
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
    ...said(row),
    problems: problems.map(({ change: _, ...problem }) => problem),
  };
}

/** What can be shown of a row, whatever its publications turned out to be. */
function said({ body: { publications }, text: given }: ImportedRow): { socialMediaAccountIds: number[]; text: string } {
  const all = Array.isArray(publications) ? publications.map(fieldsOf) : [];
  const [first] = [fieldsOf(all[0]?.posts)[0]].map(fieldsOf);
  const text = given ?? (typeof first?.content === "string" ? first.content : "");
  return {
    socialMediaAccountIds: all.map((one) => one.socialMediaAccountId).filter(isId),
    text: text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text,
  };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** The fields of what may be an object. */
function fieldsOf(value: unknown): { [name: string]: unknown } {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** `ready`: it can be created; `existing`: it was made of this row before. */
type Outcome = { outcome: "ready" | "invalid" } | { outcome: "created" | "existing"; id: number };
export type ImportedRow = Pick<CheckedRow, "number" | "text" | "body" | "problems"> & Outcome;

type How = {
  /** Only checked. */
  dryRun: boolean;
  /** Rows that are wrong are left out; without it one of them keeps all from being created. */
  skipInvalid: boolean;
  /** Of a request with an `Idempotency-Key`: it is done once by that key, and rows made before are no reason to leave any out. */
  first?: FirstAnswer<ImportedRow[]>;
};

/**
 * Creates a schedule for each row of a file: all of them, or all that are right, in one transaction, or none. Without a key a
 * row that was made before is left as it is, so that a file sent twice makes each of its posts once.
 * @throws BadRequest where it is no such file, or a row is wrong; Conflict; AnsweredBefore
 */
export async function importSchedules(ownerId: string, bytes: Buffer, how: How): Promise<ImportedRow[]> {
  const { dryRun, skipInvalid, first } = how;
  if (first) await assertFirst(db, first.ticket);
  const rows = await checkRows(ownerId, bytes);
  const keys = rowKeys(rows);
  if (dryRun) return outcomes(rows, keys, await madeBefore(db, ownerId, [...keys.values()]));
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirst(tx, first.ticket);
    const before = first ? new Map<string, number>() : await inTurn(tx, ownerId, [...keys.values()]);
    const checked = outcomes(rows, keys, before);
    if (!skipInvalid) assertRight(checked);
    const made = await create(
      tx,
      ownerId,
      rows.filter((_, index) => checked[index]?.outcome === "ready"),
      first ? undefined : keys,
    );
    const all = checked.map((row): ImportedRow => {
      const id = made.get(row.number);
      return id === undefined ? row : { ...row, outcome: "created", id };
    });
    if (first) await keepAnswer(tx, first.ticket, first.of(all));
    return all;
  });
}

/** What was made of rows before; of two imports of one owner at once the second waits here, and sees what the first made. */
async function inTurn(tx: Tx, ownerId: string, keys: string[]): Promise<Map<string, number>> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`posts.import ${ownerId}`}, 0))`);
  await forgetDeleted(tx, ownerId, keys);
  return madeBefore(tx, ownerId, keys);
}

function outcomes(rows: CheckedRow[], keys: Map<number, string>, before: Map<string, number>): ImportedRow[] {
  return rows.map(({ examined, ...row }): ImportedRow => {
    const id = before.get(keys.get(row.number) ?? "");
    // Its time may be over by now: what is there was right when it was made.
    if (id !== undefined) return { ...row, problems: [], outcome: "existing", id };
    return { ...row, outcome: examined ? "ready" : "invalid" };
  });
}

/** @throws BadRequest with what is wrong in each row */
function assertRight(rows: ImportedRow[]): void {
  const said = rows.filter(({ outcome }) => outcome === "invalid").flatMap(sentencesOf);
  if (said.length === 0) return;
  throw new BadRequest(...shortened(said, ": ask with dryRun=true for all of them"));
}

function sentencesOf({ number, problems }: ImportedRow): string[] {
  return refusalsIn(problems).map((problem) => {
    const { column } = problem as ImportedRow["problems"][number];
    return column ? `row ${number}, ${sentenceOf({ ...problem, path: column })}` : `row ${number}: ${problem.message}`;
  });
}

/** @param keys under which rows are remembered; absent where the request itself is */
async function create(
  tx: Tx,
  ownerId: string,
  rows: CheckedRow[],
  keys: Map<number, string> | undefined,
): Promise<Map<number, number>> {
  const examined = rows.flatMap((row): { row: CheckedRow; examined: Examined }[] =>
    row.examined ? [{ row, examined: row.examined }] : [],
  );
  const ids = await freshIds(
    tx,
    examined.map((one) => one.examined),
  );
  const made = new Map<number, number>();
  for (const [index, { row, examined: found }] of examined.entries()) {
    const fresh = ids[index] ?? found.ids;
    const key = keys?.get(row.number);
    const schedule = scheduleOf(fresh.schedule, row.body.isDraft, { ...found, ids: fresh });
    const { id } = await keepSchedule(tx, ownerId, schedule, key === undefined ? undefined : firstOf(ownerId, key));
    made.set(row.number, id);
  }
  return made;
}
