import { parseInstant, withZulu } from "../../time/instant";
import type { ImportedRow } from "./import";

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
