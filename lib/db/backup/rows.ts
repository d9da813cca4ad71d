import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline as streams } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { from, to } from "pg-copy-streams";

/**
 * Rows in a file: the text format of PostgreSQL's COPY, compressed by gzip. Every value is one column and every row one line,
 * because tabs and line breaks inside values are escaped.
 */
export type RowsFile = {
  /** The path in the folder of the backup. */
  file: string;
  columns: string[];
  rows: number;
  /** Of the file, compressed. */
  sizeBytes: number;
  /** Of the file, compressed, in hexadecimal. */
  sha256: string;
};

/** Called again and again while bytes pass, with their number so far before compression. */
export type Report = (bytes: number) => void;

/** Writes the rows of a query to a new file, with constant memory. The file is on disk when the promise resolves. */
export async function copyToFile(
  client: pg.ClientBase,
  { query, columns }: { query: string; columns: string[] },
  { folder, file, report }: { folder: string; file: string; report: Report },
): Promise<RowsFile> {
  const rows = client.query(to(`copy (${query}) to stdout`));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await pipeline(
    rows,
    counted(report),
    createGzip({ level: constants.Z_BEST_SPEED }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(join(folder, file), { flags: "wx", mode: 0o600, flush: true }),
  );
  return { file, columns, rows: rows.rowCount, sizeBytes, sha256: hash.digest("hex") };
}

/** Adds the rows of a file to a table, with constant memory. @throws Error if their number is not the one of the file */
export async function copyFromFile(
  client: pg.ClientBase,
  into: string,
  { folder, file: { file, rows }, report }: { folder: string; file: RowsFile; report: Report },
): Promise<void> {
  const writing = client.query(from(`copy ${into} from stdin`));
  await pipeline(createReadStream(join(folder, file)), createGunzip(), counted(report), writing);
  if (writing.rowCount !== rows) throw new Error(`${file}: ${writing.rowCount} rows were restored instead of ${rows}`);
}

function counted(report: Report) {
  let bytes = 0;
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      report(bytes);
      yield chunk;
    }
  };
}

const [TAB, LINE_BREAK] = [9, 10];

/** Reads a file to its end and returns what is wrong with it; undefined if it is as it was written. */
export async function rowsProblem(folder: string, expected: RowsFile, report: Report): Promise<string | undefined> {
  const { file, columns, rows, sha256 } = expected;
  const hash = createHash("sha256");
  let [lines, separators] = [0, 0];
  try {
    await pipeline(
      createReadStream(join(folder, file)),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createGunzip(),
      counted(report),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          lines += countOf(chunk, LINE_BREAK);
          separators += countOf(chunk, TAB);
        }
      },
    );
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : error}`;
  }
  if (hash.digest("hex") !== sha256) return `${file} was changed: its checksum is wrong`;
  if (lines !== rows) return `${file} has ${lines} rows instead of ${rows}`;
  if (separators !== rows * (columns.length - 1)) return `${file} has rows with a wrong number of columns`;
  return undefined;
}

function countOf(chunk: Buffer, byte: number): number {
  let count = 0;
  for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, at + 1)) count += 1;
  return count;
}

/**
 * Reads the rows of a file one by one. A missing value (NULL) is undefined. Values must need no escapes.
 * @throws if the file cannot be read or is not compressed
 */
export async function* readRows(
  folder: string,
  { file }: Pick<RowsFile, "file">,
): AsyncGenerator<(string | undefined)[]> {
  // `pipe` would not pass the errors of the file on: they would end the process.
  const text = streams(createReadStream(join(folder, file)), createGunzip(), () => {}).setEncoding("utf8");
  let rest = "";
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.split("\t").map((value) => (value === "\\N" ? undefined : value));
  }
}
