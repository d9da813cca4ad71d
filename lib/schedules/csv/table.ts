import { CsvError, parse } from "csv-parse/sync";
import { BadRequest } from "../../errors";
import { meantBy } from "./cell";
import { type Column, columnNamed, columnsOf } from "./columns";
import { textOf } from "./text";

export const MAX_ROWS = 500;

/** A row as it stands in the file, numbered as spreadsheets do: the headings are row 1. Empty cells are absent. */
export type Row = { number: number; cells: Map<Column, string>; hasMore: boolean };

/**
 * The rows of a file (RFC 4180), without those that are empty; commas, semicolons or tabs between the cells, any line ends.
 * @throws BadRequest where it is no such file, has an unknown column, no row or more than 500
 */
export function tableOf(bytes: Buffer): Row[] {
  const [headings = [], ...records] = recordsOf(textOf(bytes));
  if (headings.every((heading) => heading.trim() === ""))
    throw new BadRequest("The file has no headings in its first row");
  const columns = columnsOf(headings);
  const rows = records
    .map((cells, index) => rowOf(columns, cells, index + 2))
    .filter(({ cells, hasMore }) => cells.size > 0 || hasMore);
  if (rows.length === 0) throw new BadRequest("The file has no row below its headings");
  if (rows.length > MAX_ROWS) throw new BadRequest(`The file has ${rows.length} rows: the maximum is ${MAX_ROWS}`);
  return rows;
}

function rowOf(columns: (Column | undefined)[], given: string[], number: number): Row {
  const cells = new Map<Column, string>();
  let hasMore = false;
  for (const [index, cell] of given.entries()) {
    const column = columns[index];
    if (cell.trim() === "") continue;
    if (column) cells.set(column, meantBy(cell));
    else hasMore = true;
  }
  return { number, cells, hasMore };
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BadRequest(`The file is not CSV: ${faultOf(error)}`);
  }
}

/** What a spreadsheet wrote between its cells (its own country's list separator): what makes most known columns of the headings. */
function delimiterOf(text: string): string {
  const [first = ""] = text.split(/\r|\n/, 1);
  const counted = [",", ";", "\t"].map((delimiter) => {
    const headings = first.split(delimiter).map((heading) => heading.replace(/^\s*"|"\s*$/g, ""));
    return { delimiter, known: headings.filter(columnNamed).length };
  });
  return counted.reduce((best, one) => (one.known > best.known ? one : best)).delimiter;
}

function faultOf({ code, lines, message }: CsvError & { lines?: unknown }): string {
  const at = typeof lines === "number" ? ` in line ${lines}` : "";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "a quoted cell is never closed";
  if (code === "INVALID_OPENING_QUOTE") return `a quote stands within a cell that is not quoted${at}`;
  if (code === "CSV_INVALID_CLOSING_QUOTE") return `something follows the quote that closes a cell${at}`;
  return message;
}
