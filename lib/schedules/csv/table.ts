import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { BadRequest } from "../../errors";
import { type Column, type CsvRow, parseColumn, parseColumns } from "./columns";

/** The first bytes of formats that are often mistaken for CSV. */
const KNOWN_FORMATS: [name: string, bytes: number[]][] = [
  ["an Excel workbook", [0x50, 0x4b, 0x03, 0x04]],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0]],
  ["UTF-32", [0xff, 0xfe, 0x00, 0x00]],
  ["UTF-16", [0xff, 0xfe]],
  ["UTF-16", [0xfe, 0xff]],
];
const ADVICE = 'Save it as "CSV UTF-8"';

/**
 * Decodes a file as text without a byte order mark.
 * @throws BadRequest if it is not UTF-8, with the detected format or the line of the first invalid byte
 */
function decodeText(bytes: Buffer): string {
  const kind =
    KNOWN_FORMATS.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0] ?? detectUtf16(bytes);
  if (kind) throw new BadRequest(`The file is ${kind}, not CSV in UTF-8. ${ADVICE}`);
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = lineOf(text, text.indexOf("\ufffd"));
    throw new BadRequest(
      `The file is not UTF-8: line ${line} contains characters in another encoding, such as Windows-1252. ${ADVICE}`,
    );
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new BadRequest(`The file contains a NUL character in line ${lineOf(text, nul)}`);
  return text.replace(/^\ufeff/, "");
}

/** Detects UTF-16 without a byte order mark: every other byte of ASCII letters is zero. */
function detectUtf16(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 64);
  const zeros = head.filter((byte) => byte === 0).length;
  return head.length > 0 && zeros >= head.length / 3 ? "UTF-16" : undefined;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\r|\n/).length;
}

/** Characters with which a cell is a formula (owasp.org/www-community/attacks/CSV_Injection), including full-width ones. */
const STARTS_FORMULA = "[=+\\-@\\t\\r\\n＝＋－＠]";
const COULD_BE_FORMULA = new RegExp(`^'*${STARTS_FORMULA}`);
const DEFUSED = new RegExp(`^'+${STARTS_FORMULA}`);

/** Quotes a value (RFC 4180, 2.5 to 2.7), with a leading apostrophe if a spreadsheet would run it as a formula. */
export function escapeCell(value: string): string {
  const shown = COULD_BE_FORMULA.test(value) ? `'${value}` : value;
  return `"${shown.replaceAll('"', '""')}"`;
}

/** Removes the apostrophe that `escapeCell` puts before a formula. */
export function unescapeCell(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell;
}

export const MAX_ROWS = 500;

/**
 * Parses a CSV file (RFC 4180) with commas, semicolons or tabs and any line ends. Empty rows are skipped.
 * @throws BadRequest if it is not CSV, has an unknown column, has no rows or more than 500
 */
export function parseTable(bytes: Buffer): CsvRow[] {
  const [headings = [], ...records] = parseRecords(decodeText(bytes));
  if (headings.every((heading) => heading.trim() === ""))
    throw new BadRequest("The first row must contain column headings");
  const columns = parseColumns(headings);
  const rows = records
    .map((cells, index) => toRow(columns, cells, index + 2))
    .filter(({ cells, hasMore }) => cells.size > 0 || hasMore);
  if (rows.length === 0) throw new BadRequest("The file has no rows below its headings");
  if (rows.length > MAX_ROWS) throw new BadRequest(`The file has ${rows.length} rows: the maximum is ${MAX_ROWS}`);
  return rows;
}

function toRow(columns: (Column | undefined)[], given: string[], number: number): CsvRow {
  const cells = new Map<Column, string>();
  let hasMore = false;
  for (const [index, cell] of given.entries()) {
    const column = columns[index];
    if (cell.trim() === "") continue;
    if (column) cells.set(column, unescapeCell(cell));
    else hasMore = true;
  }
  return { number, cells, hasMore };
}

function parseRecords(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BadRequest(`The file is not CSV: ${csvErrorMessage(error)}`);
  }
}

/** Returns the delimiter (it depends on the country in spreadsheets) that yields the most known headings. */
function delimiterOf(text: string): string {
  const [first = ""] = text.split(/\r|\n/, 1);
  const counted = [",", ";", "\t"].map((delimiter) => {
    const headings = first.split(delimiter).map((heading) => heading.replace(/^\s*"|"\s*$/g, ""));
    return { delimiter, known: headings.filter(parseColumn).length };
  });
  return counted.reduce((best, one) => (one.known > best.known ? one : best)).delimiter;
}

function csvErrorMessage({ code, lines, message }: CsvError & { lines?: unknown }): string {
  const at = typeof lines === "number" ? ` in line ${lines}` : "";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "a quoted cell is never closed";
  if (code === "INVALID_OPENING_QUOTE") return `there is a quote within an unquoted cell${at}`;
  if (code === "CSV_INVALID_CLOSING_QUOTE") return `something follows the quote that closes a cell${at}`;
  return message;
}
