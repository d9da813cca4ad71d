import { BadRequest, type Problem } from "../../errors";

/** A rejected import reports at most this many problems. A dry run reports all of them. */
const MAX_PROBLEMS = 50;

/**
 * Returns the first problems and the number of the remaining ones.
 * @param where added to that number: where to find all of them
 */
export function firstProblems(problems: string[], where = ""): string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more${where}`] : problems;
}

/** The columns that occur once, in the order in which an export writes them. */
const before = ["scheduledTime", "date", "time", "timeZone", "accounts"] as const;
const after = ["destination", "settings", "isDraft", "publications"] as const;
/** The columns that occur once for each part of a thread: `text`, `text2`, `text3`. */
const numbered = ["text", "media"] as const;

type Single = (typeof before)[number] | (typeof after)[number];
type Numbered = (typeof numbered)[number];
export type Column = Single | Numbered | `${Numbered}${number}`;

/** As much of an unknown heading as a message shows. The first line of a file may be 2 MB long. */
const MAX_SHOWN = 100;

/** The maximum number of posts of a publication. */
export const MAX_PARTS = 50;

/** Returns the name of a part's column; `part` counts from 0. */
export function partColumn(name: Numbered, part: number): Column {
  return part === 0 ? name : `${name}${part + 1}`;
}

/** Returns the columns of an export. It writes only `scheduledTime`, not the other time columns. */
export function exportColumns(parts: number): Column[] {
  const each = (name: Numbered) => Array.from({ length: parts }, (_, part) => partColumn(name, part));
  return ["scheduledTime", "accounts", ...each("text"), ...each("media"), ...after];
}

const normalized = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const known = new Map<string, Column>([
  ...[...before, ...after].map((name) => [normalized(name), name] as const),
  ...numbered.flatMap((name) => [
    [`${name}1`, name] as const,
    ...Array.from({ length: MAX_PARTS }, (_, part) => {
      const column = partColumn(name, part);
      return [column, column] as const;
    }),
  ]),
]);

/** Returns the column of a heading, ignoring case and spaces (`Scheduled time`); undefined if it is unknown. */
export function parseColumn(heading: string): Column | undefined {
  return heading.length > MAX_SHOWN ? undefined : known.get(normalized(heading));
}

/**
 * Returns the columns of a file from its headings. A column without a heading is ignored and must be empty.
 * @throws BadRequest with the headings that are unknown or occur twice
 */
export function parseColumns(headings: string[]): (Column | undefined)[] {
  const columns = headings.map(parseColumn);
  const unknown = headings.filter((heading, index) => heading.trim() !== "" && !columns[index]);
  const names = [...before, ...numbered, ...after].join(", ");
  const problems = unknown.map((heading) => `The file has an unknown column: ${heading.trim().slice(0, MAX_SHOWN)}`);
  const hint = `the columns are ${names}, and text2, media2 and so on`;
  if (problems.length > 0) throw new BadRequest(...firstProblems(problems), hint);
  const twice = columns.filter((column, index) => column && columns.indexOf(column) !== index);
  if (twice.length > 0)
    throw new BadRequest(...firstProblems(twice.map((name) => `The file has the column ${name} twice`)));
  return columns;
}

/** A row of the file, numbered as in spreadsheets: the headings are row 1. Empty cells are absent. */
export type CsvRow = { number: number; cells: Map<Column, string>; hasMore: boolean };

/** A problem of a row. The path refers to the request body that the row is converted to. */
export type RowProblem = Problem & {
  /** The column that has to be corrected; absent if it is not a single one. */
  column?: Column;
};

const PART = /^publications(?:\[\d+\]\.posts\[(\d+)\])?\.?(.*)$/;

/** Adds the column from which the field of a problem was read. */
export function withColumn(problem: Problem, row: CsvRow): RowProblem {
  return { ...problem, column: columnForPath(problem.path, row) };
}

function columnForPath(path: string, { cells }: CsvRow): Column {
  if (path === "isDraft") return "isDraft";
  if (path === "scheduledTime") return cells.has("date") && !cells.has("scheduledTime") ? "date" : "scheduledTime";
  if (cells.has("publications")) return "publications";
  const [, part, field = ""] = PART.exec(path) ?? [];
  if (part !== undefined && field.startsWith("chatId")) return "destination";
  if (part !== undefined) return partColumn(field.startsWith("content") ? "text" : "media", Number(part));
  if (field.includes("platformSettings")) return "settings";
  return field.endsWith(".posts") ? "text" : "accounts";
}
