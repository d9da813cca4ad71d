import type { Problem } from "../../errors";
import { type Column, partColumn } from "./columns";
import type { Row } from "./table";

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
