import { type FileWindow, withFileWindow } from "./file-window";

/** EBML IDs (RFC 8794; Matroska, RFC 9559). */
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const VOID = 0xec;
const CRC = 0xbf;
/** The elements allowed in a segment and in a cluster. */
const IN_SEGMENT = new Set([
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  0x1c53bb6b,
  0x1941a469,
  0x1043a770,
  0x1254c367,
  CLUSTER,
]);
const IN_CLUSTER = new Set([0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf]);
/** SimpleBlock, BlockGroup and EncryptedBlock. */
const BLOCKS = new Set([0xa3, 0xa0, 0xaf]);
const MAX_HEAD_BYTES = 12;

type Element = { id: number; start: number; size: number | undefined };

/** Far more than a film of 100 MB has. Blocks are counted apart, because there is one per frame. */
const MAX_ELEMENTS = 250_000;
const MAX_BLOCKS = 2_000_000;

type Place = "top" | "segment" | "cluster";

/**
 * Returns the problem of the outer elements of a WebM or Matroska file. Undefined if each one is allowed in its place, the
 * last one ends exactly at the end of the file, and there are no more of them than a film needs. Segments and clusters of
 * unknown size, as in live recordings, are walked through; all others are skipped by their size.
 */
export async function elementsProblem(path: string): Promise<string | undefined> {
  return withFileWindow(path, walk);
}

async function walk(file: FileWindow): Promise<string | undefined> {
  const { sizeBytes: end } = file;
  const counts = { elements: 0, blocks: 0 };
  let hasSegment = false;
  let inside: Place = "top";
  let segmentEnd = end;
  let at = 0;
  while (at < end) {
    const read = file.read(at, MAX_HEAD_BYTES);
    const element = elementIn(read instanceof Promise ? await read : read, at);
    if (!element) return "there are bytes after its last element";
    const { id, start, size } = element;
    if (inside === "cluster" && (IN_SEGMENT.has(id) || id === SEGMENT)) inside = "segment";
    if (!mayStand(id, inside)) return "there are bytes after its last element";
    if (size !== undefined && start + size > (inside === "top" ? end : segmentEnd))
      return "its last element is incomplete";
    const problem = countProblem(id, counts);
    if (problem) return problem;
    if (id === SEGMENT) {
      hasSegment = true;
      segmentEnd = size === undefined ? end : start + size;
      inside = "segment";
      at = start;
    } else if (id === CLUSTER && size === undefined) {
      inside = "cluster";
      at = start;
    } else {
      at = start + (size ?? 0);
    }
    if (at === segmentEnd && segmentEnd < end) inside = "top";
  }
  return hasSegment ? undefined : "it has no segment";
}

function countProblem(id: number, counts: { elements: number; blocks: number }): string | undefined {
  if (BLOCKS.has(id)) counts.blocks += 1;
  else counts.elements += 1;
  if (counts.elements > MAX_ELEMENTS) return `it has more than ${MAX_ELEMENTS.toLocaleString("en")} elements`;
  return counts.blocks > MAX_BLOCKS ? `it has more than ${MAX_BLOCKS.toLocaleString("en")} blocks` : undefined;
}

function mayStand(id: number, inside: Place): boolean {
  if (id === VOID || id === CRC) return true;
  if (inside === "top") return id === EBML || id === SEGMENT;
  return inside === "segment" ? IN_SEGMENT.has(id) : IN_CLUSTER.has(id);
}

/** Parses the head of an element: an ID of up to four bytes and a size of up to eight (all ones: unknown). */
function elementIn(head: Buffer, at: number): Element | undefined {
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (idLength > 4 || idLength + 1 > head.length) return undefined;
  const id = head.readUIntBE(0, idLength);
  const first = head[idLength] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (sizeLength > 8 || idLength + sizeLength > head.length) return undefined;
  let size = first & (0xff >> sizeLength);
  let unknown = size === 0xff >> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { id, start: at + idLength + sizeLength, size: unknown ? undefined : size };
}
