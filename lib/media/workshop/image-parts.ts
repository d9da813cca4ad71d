import { pictureBoxesProblem } from "./boxes";
import { type FileWindow, withFileWindow } from "./file-window";

/** More than any scanned document has. Only the first page of a TIFF is used. */
const MAX_TIFF_PAGES = 1_000;
/** An animation has two chunks per frame, and at most 300 frames are accepted. */
const MAX_WEBP_CHUNKS = 10_000;

/**
 * Returns the problem of a picture whose decoder would take longer for each of its parts than for the one before: the boxes
 * of an AVIF, the pages of a TIFF, the chunks of a WebP. The decoders of the other types take linear time.
 */
export async function imagePartsProblem(path: string, type: string): Promise<string | undefined> {
  if (type === "image/avif") return pictureBoxesProblem(path);
  if (type === "image/tiff") return withFileWindow(path, tiffProblem);
  return type === "image/webp" ? withFileWindow(path, webpProblem) : undefined;
}

/** Follows the chain of image file directories (TIFF 6.0, section 2; BigTIFF has 64-bit counts and offsets). */
async function tiffProblem(file: FileWindow): Promise<string | undefined> {
  const head = Buffer.from(await file.read(0, 16));
  if (head.length < 16) return undefined;
  const isLittle = head.toString("latin1", 0, 2) === "II";
  const isBig = numberIn(head.subarray(2, 4), isLittle) === 43;
  const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  let at = numberIn(isBig ? head.subarray(8, 16) : head.subarray(4, 8), isLittle);
  for (let pages = 0; at > 0 && at < file.sizeBytes; pages += 1) {
    if (pages === MAX_TIFF_PAGES) return `it has more than ${MAX_TIFF_PAGES.toLocaleString("en")} pages`;
    const entries = numberIn(await file.read(at, countBytes), isLittle);
    at = numberIn(await file.read(at + countBytes + entries * entryBytes, offsetBytes), isLittle);
  }
  return undefined;
}

/** Counts the chunks (RFC 9649, section 2.3: RIFF). */
async function webpProblem(file: FileWindow): Promise<string | undefined> {
  let chunks = 0;
  for (let at = 12; at + 8 <= file.sizeBytes; chunks += 1) {
    if (chunks === MAX_WEBP_CHUNKS) return `it has more than ${MAX_WEBP_CHUNKS.toLocaleString("en")} chunks`;
    const size = numberIn((await file.read(at + 4, 4)).subarray(0, 4), true);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Reads an unsigned number of any length. Above 2^53 it is inexact, and then beyond the end of any file. */
function numberIn(bytes: Buffer, isLittle: boolean): number {
  const ordered = isLittle ? Buffer.from(bytes).reverse() : bytes;
  return ordered.reduce((sum, byte) => sum * 256 + byte, 0);
}
