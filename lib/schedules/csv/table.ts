import { isUtf8 } from "node:buffer";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { BadRequest } from "../../errors";
import { giveWay } from "../../time/give-way";
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
  let line = 1;
  for (let at = 0; at < index; at++) if (endsLine(text, at)) line++;
  return line;
}

/** Whether a line ends with this character: `\n`, or `\r` without `\n` after it. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
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
/** Spreadsheets write many empty rows below the last one. */
const MAX_LINES = 5000;
/** More than twice as many as there are columns with a meaning. */
const MAX_COLUMNS = 250;
/** Longer than 250 headings in quotes. */
const MAX_HEADING_CHARACTERS = 10_000;
/** Parsing this much takes about 5 ms. Other requests may run before the next piece. */
const PIECE_BYTES = 65_536;

/**
 * Parses a CSV file (RFC 4180) with commas, semicolons or tabs and any line ends. Empty rows are skipped.
 * @throws BadRequest if it is not CSV, has an unknown column, has no rows or more than 500
 */
export async function parseTable(bytes: Buffer): Promise<CsvRow[]> {
  const text = decodeText(bytes);
  const delimiter = delimiterOf(text);
  await giveWay();
  assertSize(text, delimiter);
  const [headings = [], ...records] = await parseRecords(text, delimiter);
  if (headings.every((heading) => heading.trim() === ""))
    throw new BadRequest("The first row must contain column headings");
  const columns = parseColumns(headings);
  const rows = records
    .map((cells, index) => toRow(columns, cells, index + 2))
    .filter(({ cells, hasMore }) => cells.size > 0 || hasMore);
  if (rows.length === 0) throw new BadRequest("The file has no rows below its headings");
  return rows;
}

/**
 * Counts rows and columns before the file is parsed, and stops at the first that is too many: parsing a million short rows
 * would delay every other request. @throws BadRequest
 */
function assertSize(text: string, delimiter: string): void {
  const tooMany = (what: string, most: number) =>
    new BadRequest(`The file has more than ${most} ${what}: the maximum is ${most}`);
  let [lines, rows, columns, isEmpty, isQuoted] = [0, -1, 1, true, false];
  const separator = delimiter.charCodeAt(0);
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at); // compared as a number, which is much faster for 2 MB than a text of one character
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (at === text.length || (!isQuoted && endsLine(text, at))) {
      if (!isEmpty && ++rows > MAX_ROWS) throw tooMany("rows", MAX_ROWS);
      if (++lines > MAX_LINES) throw tooMany("rows, with the empty ones", MAX_LINES);
      [columns, isEmpty] = [1, true];
    } else if (code === separator && !isQuoted) {
      if (++columns > MAX_COLUMNS) throw tooMany("columns", MAX_COLUMNS);
    } else if (isEmpty && text.charAt(at).trim() !== "") isEmpty = false;
  }
}

const QUOTE = 0x22;

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

async function parseRecords(text: string, delimiter: string): Promise<string[][]> {
  const records: string[][] = [];
  const parser = parse({ delimiter, record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true });
  try {
    await pipeline(piecesOf(Buffer.from(text)), parser, async (parsed: AsyncIterable<string[]>) => {
      for await (const record of parsed) records.push(record);
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BadRequest(`The file is not CSV: ${csvErrorMessage(error)}`);
  }
  return records;
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await giveWay();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** Returns the delimiter (it depends on the country in spreadsheets) that yields the most known headings. */
function delimiterOf(text: string): string {
  const [first = ""] = text.slice(0, MAX_HEADING_CHARACTERS).split(/\r|\n/, 1);
  const counted = [",", ";", "\t"].map((delimiter) => {
    const headings = first.split(delimiter, MAX_COLUMNS).map((heading) => heading.replace(/^\s*"|"\s*$/g, ""));
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
