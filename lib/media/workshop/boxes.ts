import { type FileWindow, withFileWindow } from "./file-window";
import { type Layout, type LayoutReader, layoutReader } from "./layout";

/** Far more than a film of 100 MB has, even with one fragment per frame. */
const MAX_BOXES = 250_000;
/** The index of a film has about forty boxes per track. */
const MAX_BOXES_IN_MOOV = 10_000;
/** A picture of many tiles has one box per item. */
const MAX_BOXES_IN_PICTURE = 20_000;
/** A sample description is nine levels deep. */
const MAX_DEPTH = 16;
/** Boxes that consist of boxes (ISO/IEC 14496-12, 6.2.3). */
const CONTAINERS = new Set(
  "moov trak mdia minf dinf stbl edts mvex moof traf mfra udta meta ilst sinf schi wave".split(" "),
);
/** Bytes before the first box inside: version and flags, and in `stsd` also the number of entries. */
const AHEAD: { [type: string]: number } = { meta: 4, stsd: 8 };

type Box = { type: string; start: number; end: number };
type Level = { end: number; depth: number; isInMoov: boolean };
type Counts = { all: number; inMoov: number; maxAll: number; layout?: LayoutReader };

/**
 * Reads where the index of an MP4 or QuickTime file is, and its edit lists, or returns the problem of its boxes (ISO/IEC
 * 14496-12, 4.2; QuickTime File Format, "Atoms"). There is none if the top-level boxes end exactly at the end of the file and
 * include `moov`, and if there are no more boxes than a film needs. The count includes nested boxes, so that no reader has to
 * walk through millions of them.
 */
export async function readBoxes(path: string): Promise<{ problem: string } | Layout> {
  return withFileWindow(path, async (file) => {
    const reader = layoutReader();
    const problem = await levelProblem(file, 0, topOf(file), { ...countUpTo(MAX_BOXES), layout: reader });
    if (problem) return { problem: problem.message };
    return reader.result() ?? { problem: "it has no box moov" };
  });
}

/**
 * Returns the problem of an AVIF picture with more boxes than a picture needs (the same boxes; HEIF, ISO/IEC 23008-12). The
 * decoder judges everything else.
 */
export async function pictureBoxesProblem(path: string): Promise<string | undefined> {
  return withFileWindow(path, async (file) => {
    const problem = await levelProblem(file, 0, topOf(file), countUpTo(MAX_BOXES_IN_PICTURE));
    return problem?.isCount ? problem.message : undefined;
  });
}

const countUpTo = (maxAll: number): Counts => ({ all: 0, inMoov: 0, maxAll });
const topOf = ({ sizeBytes }: FileWindow): Level => ({ end: sizeBytes, depth: 0, isInMoov: false });

/** `isCount`: there are too many boxes, or they are nested too deep. */
type Problem = { message: string; isCount: boolean };

async function levelProblem(
  file: FileWindow,
  from: number,
  level: Level,
  counts: Counts,
): Promise<Problem | undefined> {
  const isTop = level.depth === 0;
  for (let at = from; at < level.end; ) {
    const box = await boxAt(file, at, level.end);
    // The content of nested boxes is checked when the film is read.
    if ("problem" in box) return isTop ? { message: box.problem, isCount: false } : undefined;
    const many = countProblem(level, counts);
    await counts.layout?.visit(file, box, isTop);
    const problem = many ? { message: many, isCount: true } : await insideProblem(file, box, level, counts);
    if (problem) return problem;
    at = box.end;
  }
  return undefined;
}

function countProblem({ depth, isInMoov }: Level, counts: Counts): string | undefined {
  counts.all += 1;
  if (isInMoov) counts.inMoov += 1;
  if (counts.all > counts.maxAll) return `it has more than ${counts.maxAll.toLocaleString("en")} boxes`;
  if (counts.inMoov > MAX_BOXES_IN_MOOV)
    return `its index has more than ${MAX_BOXES_IN_MOOV.toLocaleString("en")} boxes`;
  return depth > MAX_DEPTH ? `its boxes are nested more than ${MAX_DEPTH} levels deep` : undefined;
}

async function insideProblem(file: FileWindow, box: Box, level: Level, counts: Counts): Promise<Problem | undefined> {
  const { type, start, end } = box;
  if (!CONTAINERS.has(type) && type !== "stsd") return undefined;
  const inside = { end, depth: level.depth + 1, isInMoov: level.isInMoov || type === "moov" };
  return levelProblem(file, start + (await aheadOf(file, box)), inside, counts);
}

/** QuickTime's `meta` has no version and flags (QuickTime File Format, "Metadata"): its first box begins at once. */
async function aheadOf(file: FileWindow, { type, start }: Box): Promise<number> {
  if (type !== "meta") return AHEAD[type] ?? 0;
  return isType((await file.read(start, 8)).toString("latin1", 4, 8)) ? 0 : (AHEAD.meta ?? 0);
}

/** Reads the head of a box. `start` is where its content begins. */
async function boxAt(file: FileWindow, at: number, limit: number): Promise<Box | { problem: string }> {
  const read = file.read(at, 16);
  const head = read instanceof Promise ? await read : read;
  if (head.length < 8) return { problem: "there are bytes after its last box" };
  const type = head.toString("latin1", 4, 8);
  const incomplete = { problem: `its box ${type.replace(/[^\x20-\x7e]/g, "?")} is incomplete` };
  // 1: the size follows as 64 bits. 0: this is the last box.
  const short = head.readUInt32BE(0);
  if (short === 1 && head.length < 16) return incomplete;
  const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? limit - at : short;
  const headSize = short === 1 ? 16 : 8;
  if (!isType(type) || size < headSize) return { problem: "there are bytes after its last box" };
  return at + size > limit ? incomplete : { type, start: at + headSize, end: at + size };
}

const isType = (type: string) => /^[\x20-\x7e\xa9]{4}$/.test(type);
