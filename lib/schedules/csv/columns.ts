import { BadRequest, type Problem } from "../../errors";

/** So many problems are answered where nothing was created; a dry run has all of those in rows. */
const MOST_SAID = 50;

/** The first of many problems, and how many there are besides. @param where they are all told */
export function shortened(problems: string[], where = ""): string[] {
  const more = problems.length - MOST_SAID;
  return more > 0 ? [...problems.slice(0, MOST_SAID), `and ${more} more${where}`] : problems;
}

/** The columns of a file of schedules that stand there once, in the order in which they are written. */
const before = ["scheduledTime", "date", "time", "timeZone", "accounts"] as const;
const after = ["destination", "settings", "isDraft", "publications"] as const;
/** These stand there once for each part of a thread: `text`, `text2`, `text3`. */
const numbered = ["text", "media"] as const;

type Single = (typeof before)[number] | (typeof after)[number];
type Numbered = (typeof numbered)[number];
export type Column = Single | Numbered | `${Numbered}${number}`;

/** As many as a publication's posts can be. */
export const MAX_PARTS = 50;

/** What a column of a part is called, counted from 0. */
export function partColumn(name: Numbered, part: number): Column {
  return part === 0 ? name : `${name}${part + 1}`;
}

/** What is written: one way to say the time is enough. */
export function writtenColumns(parts: number): Column[] {
  const each = (name: Numbered) => Array.from({ length: parts }, (_, part) => partColumn(name, part));
  return ["scheduledTime", "accounts", ...each("text"), ...each("media"), ...after];
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const known = new Map<string, Column>([
  ...[...before, ...after].map((name) => [plain(name), name] as const),
  ...numbered.flatMap((name) => [
    [`${name}1`, name] as const,
    ...Array.from({ length: MAX_PARTS }, (_, part) => {
      const column = partColumn(name, part);
      return [column, column] as const;
    }),
  ]),
]);

/** The column that a heading names, however it is written (`Scheduled time`); undefined where it names none. */
export function columnNamed(heading: string): Column | undefined {
  return known.get(plain(heading));
}

/**
 * The columns of a file by its first row; a column without a heading is none, and must be empty.
 * @throws BadRequest with the headings that are unknown or stand there twice
 */
export function columnsOf(headings: string[]): (Column | undefined)[] {
  const columns = headings.map(columnNamed);
  const unknown = headings.filter((heading, index) => heading.trim() !== "" && !columns[index]);
  const names = [...before, ...numbered, ...after].join(", ");
  const problems = unknown.map((heading) => `The file has a column that is not known: ${heading.trim()}`);
  const hint = `the columns are ${names}, and text2, media2 and so on`;
  if (problems.length > 0) throw new BadRequest(...shortened(problems), hint);
  const twice = columns.filter((column, index) => column && columns.indexOf(column) !== index);
  if (twice.length > 0)
    throw new BadRequest(...shortened(twice.map((name) => `The file has the column ${name} twice`)));
  return columns;
}

/** A row as it stands in the file, numbered as spreadsheets do: the headings are row 1. Empty cells are absent. */
export type Row = { number: number; cells: Map<Column, string>; hasMore: boolean };

/** What is wrong with a row: the path is that of the body which the row makes, as everywhere. */
export type RowProblem = Problem & {
  /** The column to mend it in; absent where it is no single one. */
  column?: Column;
};

const PART = /^publications(?:\[\d+\]\.posts\[(\d+)\])?\.?(.*)$/;

/** A problem of a row's body, with the column that the wrong field was made from. */
export function inColumn(problem: Problem, row: Row): RowProblem {
  return { ...problem, column: columnOf(problem.path, row) };
}

function columnOf(path: string, { cells }: Row): Column {
  if (path === "isDraft") return "isDraft";
  if (path === "scheduledTime") return cells.has("date") && !cells.has("scheduledTime") ? "date" : "scheduledTime";
  if (cells.has("publications")) return "publications";
  const [, part, field = ""] = PART.exec(path) ?? [];
  if (part !== undefined && field.startsWith("chatId")) return "destination";
  if (part !== undefined) return partColumn(field.startsWith("content") ? "text" : "media", Number(part));
  if (field.includes("platformSettings")) return "settings";
  return field.endsWith(".posts") ? "text" : "accounts";
}
