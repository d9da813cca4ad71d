import { type FileHandle, open } from "node:fs/promises";

/**
 * Returns the problem of the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2; QuickTime File Format,
 * "Atoms"). Undefined if they end exactly at the end of the file and include `moov`.
 */
export async function boxesProblem(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size: end } = await file.stat();
    const header = Buffer.alloc(16);
    let hasMoov = false;
    let at = 0;
    while (at < end) {
      const { bytesRead } = await file.read(header, 0, 16, at);
      if (bytesRead < 8) return "there are bytes after its last box";
      const type = header.toString("latin1", 4, 8);
      // 1: the size follows as 64 bits. 0: this is the last box.
      const short = header.readUInt32BE(0);
      if (short === 1 && bytesRead < 16) return `its box ${printableType(type)} is incomplete`;
      const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
      if (!/^[\x20-\x7e\xa9]{4}$/.test(type) || size < (short === 1 ? 16 : 8))
        return "there are bytes after its last box";
      if (at + size > end) return `its box ${printableType(type)} is incomplete`;
      if (type === "moov") hasMoov = true;
      at += size;
    }
    return hasMoov ? undefined : "it has no box moov";
  } finally {
    await file.close();
  }
}

const printableType = (type: string) => type.replace(/[^\x20-\x7e]/g, "?");

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

type Element = { id: number; start: number; size: number | undefined };

/**
 * Returns the problem of the outer elements of a WebM or Matroska file. Undefined if each one is allowed in its place and
 * the last one ends exactly at the end of the file. Segments and clusters of unknown size, as in live recordings, are
 * walked through; all others are skipped by their size.
 */
export async function elementsProblem(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size: end } = await file.stat();
    let hasSegment = false;
    let inside: "top" | "segment" | "cluster" = "top";
    let segmentEnd = end;
    let at = 0;
    while (at < end) {
      const element = await elementAt(file, at, end);
      if (!element) return "there are bytes after its last element";
      const { id, start, size } = element;
      if (inside === "cluster" && (IN_SEGMENT.has(id) || id === SEGMENT)) inside = "segment";
      if (!mayStand(id, inside)) return "there are bytes after its last element";
      if (size !== undefined && start + size > (inside === "top" ? end : segmentEnd))
        return "its last element is incomplete";
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
  } finally {
    await file.close();
  }
}

function mayStand(id: number, inside: "top" | "segment" | "cluster"): boolean {
  if (id === VOID || id === CRC) return true;
  if (inside === "top") return id === EBML || id === SEGMENT;
  return inside === "segment" ? IN_SEGMENT.has(id) : IN_CLUSTER.has(id);
}

/** Reads the head of an element: an ID of up to four bytes and a size of up to eight (all ones: unknown). */
async function elementAt(file: FileHandle, at: number, end: number): Promise<Element | undefined> {
  const head = Buffer.alloc(12);
  const { bytesRead } = await file.read(head, 0, 12, at);
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (idLength > 4 || idLength + 1 > bytesRead) return undefined;
  const id = head.readUIntBE(0, idLength);
  const first = head[idLength] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (sizeLength > 8 || idLength + sizeLength > Math.min(bytesRead, end - at)) return undefined;
  let size = first & (0xff >> sizeLength);
  let unknown = size === 0xff >> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { id, start: at + idLength + sizeLength, size: unknown ? undefined : size };
}
