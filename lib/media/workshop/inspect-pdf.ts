import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";

/**
 * Counts the pages of a PDF without a library: nothing here draws it. The pages form a tree (ISO 32000-1, section 7.7.3), and
 * its root states their number. A file that was changed has several roots, and the last one counts. Objects may be packed in
 * compressed streams (section 7.5.7), so these are unpacked.
 */

const TYPE = "application/pdf";
/** No dictionary that matters here is longer: the root of a tree usually has less than a hundred children. */
const LONGEST_OBJECT = 1_048_576;
/** Together the packed objects of a very long document have some megabytes. More was made to fill the memory. */
const MOST_UNPACKED = 32 * 1_048_576;
/** Objects that mention one of the two words. A document of a thousand pages has fewer than a thousand of each. */
const MOST_CANDIDATES = 50_000;

const ROOT = /\/Type\s*\/Pages\b/;
const COUNT = /\/Count\s+(\d+)/;

/** @throws UnusableFile */
export async function inspectPdf(path: string): Promise<InspectedFile> {
  const bytes = await readFile(path);
  if (bytes.lastIndexOf("%%EOF") < 0) throw corruptFile(TYPE);
  if (isLocked(bytes))
    throw new UnusableFile("unsupported", "file is protected by a password: the type found is application/pdf");
  const roots = [...plainObjects(bytes, "/Pages"), ...packedObjects(bytes)].toSorted((a, b) => a.at - b.at);
  const pages = roots.flatMap(({ text }) => pagesIn(text)).at(-1);
  if (!pages) throw corruptFile(TYPE, "it has no pages");
  return { contentType: TYPE, details: { pages } };
}

/** An object's text and its position in the file, or that of the stream that it is packed in. */
type PdfObject = { at: number; text: string };

/** The number of pages if the object is the root of a page tree. */
function pagesIn(text: string): number[] {
  if (!ROOT.test(text) || /\/Parent\b/.test(text)) return [];
  const count = Number(COUNT.exec(text)?.[1] ?? 0);
  return count > 0 ? [count] : [];
}

/** The last trailer, or the last stream that replaces it, names the encryption. */
function isLocked(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf("/Encrypt");
  return at >= 0 && /^\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(bytes.toString("latin1", at, at + 40));
}

/** The objects that mention a word and are not packed. Each part of the file is read once. */
function* plainObjects(bytes: Buffer, word: string): Generator<PdfObject> {
  let count = 0;
  let read = 0;
  for (let found = bytes.indexOf(word); found >= 0; ) {
    if (++count > MOST_CANDIDATES)
      throw new UnusableFile("unsupported", `file has too many objects: the type found is ${TYPE}`);
    const from = Math.max(read, found - LONGEST_OBJECT);
    const start = from + Math.max(0, bytes.subarray(from, found).lastIndexOf(" obj"));
    const window = bytes.subarray(found, found + LONGEST_OBJECT);
    const ends = ["endobj", "stream"].map((end) => window.indexOf(end)).filter((end) => end >= 0);
    read = found + (ends.length > 0 ? Math.min(...ends) : window.length);
    yield { at: start, text: bytes.toString("latin1", start, read) };
    found = bytes.indexOf(word, read);
  }
}

function packedObjects(bytes: Buffer): PdfObject[] {
  let unpacked = 0;
  return [...plainObjects(bytes, "/ObjStm")].flatMap(({ at, text }) => {
    const objects = unpack(bytes, at + text.length, text, MOST_UNPACKED - unpacked);
    unpacked += objects.length;
    const first = Number(/\/First\s+(\d+)/.exec(text)?.[1] ?? 0);
    return splitObjects(objects, first).map((object) => ({ at, text: object }));
  });
}

/** The content of a stream; empty if it is packed in another way than that of nearly all files, or damaged. */
function unpack(bytes: Buffer, at: number, dictionary: string, maxOutputLength: number): string {
  if (bytes.toString("latin1", at, at + 6) !== "stream" || !/\/FlateDecode\b/.test(dictionary)) return "";
  const start = at + 6 + (bytes[at + 6] === 13 ? 2 : 1);
  const end = bytes.indexOf("endstream", start);
  try {
    return inflateSync(bytes.subarray(start, end < 0 ? bytes.length : end), { maxOutputLength }).toString("latin1");
  } catch {
    return "";
  }
}

/** Splits the unpacked objects at the positions that their header lists: pairs of a number and a position. */
function splitObjects(objects: string, first: number): string[] {
  const numbers = objects.slice(0, first).trim().split(/\s+/).map(Number);
  const positions = numbers.filter((_, index) => index % 2 === 1);
  return positions.map((position, index) =>
    objects.slice(first + position, first + (positions[index + 1] ?? objects.length)),
  );
}
