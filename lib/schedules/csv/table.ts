import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { BadRequest } from "../../errors";
import { type Column, columnNamed, columnsOf, type Row } from "./columns";

/** How files begin that people take for CSV. */
const KINDS: [name: string, bytes: number[]][] = [
  ["an Excel workbook", [0x50, 0x4b, 0x03, 0x04]],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0]],
  ["UTF-32", [0xff, 0xfe, 0x00, 0x00]],
  ["UTF-16", [0xff, 0xfe]],
  ["UTF-16", [0xfe, 0xff]],
];
const ADVICE = 'Save it as "CSV UTF-8"';

/**
 * A file's bytes as text, without a byte order mark.
 * @throws BadRequest that names what the file is where it is not UTF-8, and the line of the first byte that is not
 */
function textOf(bytes: Buffer): string {
  const kind =
    KINDS.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0] ?? withoutMark(bytes);
  if (kind) throw new BadRequest(`The file is ${kind}, not CSV in UTF-8. ${ADVICE}`);
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = lineOf(text, text.indexOf("\ufffd"));
    throw new BadRequest(
      `The file is not UTF-8: line ${line} has letters of another encoding, such as Windows-1252. ${ADVICE}`,
    );
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new BadRequest(`The file holds a character that is not text in line ${lineOf(text, nul)}`);
  return text.replace(/^\ufeff/, "");
}

/** Every other byte of plain letters in UTF-16 is zero, whether or not a mark says what it is. */
function withoutMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 64);
  const zeros = head.filter((byte) => byte === 0).length;
  return head.length > 0 && zeros >= head.length / 3 ? "UTF-16" : undefined;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\r|\n/).length;
}

/** With these a cell is a formula to a spreadsheet (owasp.org/www-community/attacks/CSV_Injection), in wide letters too. */
const STARTS_FORMULA = "[=+\\-@\\t\\r\\n＝＋－＠]";
const COULD_BE_FORMULA = new RegExp(`^'*${STARTS_FORMULA}`);
const DEFUSED = new RegExp(`^'+${STARTS_FORMULA}`);

/** A value as a cell of a file: quoted (RFC 4180, 2.5 to 2.7), and behind an apostrophe where a spreadsheet would run it. */
export function cellOf(value: string): string {
  const shown = COULD_BE_FORMULA.test(value) ? `'${value}` : value;
  return `"${shown.replaceAll('"', '""')}"`;
}

/** What a cell says once its quotes are gone: the apostrophe before what would be a formula is not part of it. */
export function meantBy(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell;
}

export const MAX_ROWS = 500;

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
