import type { MediaDetails } from "../../db";
import type { FileWindow } from "./file-window";

/** Where the index of an MP4 or QuickTime file is, and what its edit lists do. */
export type Layout = Required<Pick<MediaDetails, "index">> & Pick<MediaDetails, "editList">;

export type LayoutReader = {
  /** Takes the boxes in the order of the file. `start` is where the content of the box begins. */
  visit(file: FileWindow, box: { type: string; start: number; end: number }, isTop: boolean): void | Promise<void>;
  /** Undefined if there was no box `moov`. */
  result(): Layout | undefined;
};

/** An encoder's delay and the last packet of sound reach a little beyond the pictures. */
const TOLERANCE_SECONDS = 0.1;
/** Edit lists of more entries are never a plain alignment, so the others need not be read. */
const MAX_ENTRIES = 16;
/** How much of a box is read at most, and at least. */
const READ_BYTES: { [type: string]: number } = { mvhd: 32, mdhd: 32, hdlr: 12, elst: 8 + MAX_ENTRIES * 20 };
const MIN_BYTES = 8;

type Edit = { duration: number; mediaTime: number; rate: number };
type Track = { kind?: string; timescale?: number; duration?: number; edits?: Edit[] };

/**
 * Collects the layout during a walk over the boxes (ISO/IEC 14496-12: `mvhd`, `mdhd`, `hdlr`, `elst`). An edit list with one
 * entry at normal speed, perhaps after an empty one, only says when its track starts. All others hide, repeat or move a part.
 */
export function layoutReader(): LayoutReader {
  const tracks: Track[] = [];
  let movieTimescale = 0;
  let index: Layout["index"] | undefined;
  let hasData = false;
  let hasFragments = false;

  function noteTop(type: string): void {
    if (type === "mdat") hasData = true;
    if (type === "moof") hasFragments = true;
    if (type === "moov") index ??= hasData ? "end" : "front";
  }

  function note(type: string, bytes: Buffer): void {
    const track = tracks.at(-1);
    if (type === "mvhd") movieTimescale = timesOf(bytes).timescale;
    if (!track) return;
    if (type === "mdhd") Object.assign(track, timesOf(bytes));
    // A second one, inside `minf` of QuickTime files, is about data and not about media.
    if (type === "hdlr") track.kind ??= bytes.toString("latin1", 8, 12);
    if (type === "elst") track.edits = editsIn(bytes);
  }

  return {
    visit(file, { type, start, end }, isTop) {
      if (isTop) return noteTop(type);
      if (type === "trak") tracks.push({});
      const count = Math.min(READ_BYTES[type] ?? 0, end - start);
      if (count < MIN_BYTES) return;
      const bytes = file.read(start, count);
      if (bytes instanceof Promise) return bytes.then((read) => note(type, padded(read)));
      note(type, padded(bytes));
    },
    result() {
      if (!index) return undefined;
      const shown = tracks.filter(({ kind, edits }) => (kind === "vide" || kind === "soun") && edits?.length);
      const isCut = shown.some((track) => hidesPart(track, movieTimescale));
      return {
        index: hasFragments ? "fragments" : index,
        ...(shown.length > 0 ? { editList: isCut ? "cut" : "start" } : {}),
      };
    },
  };
}

/** Zeros in place of what a damaged box does not have. The bytes of the file are only valid until the next ones are read. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(32)]);
}

/** The timescale and duration of `mvhd` and `mdhd`, which begin alike. */
function timesOf(bytes: Buffer): { timescale: number; duration: number } {
  if (bytes[0] === 1) return { timescale: bytes.readUInt32BE(20), duration: Number(bytes.readBigUInt64BE(24)) };
  return { timescale: bytes.readUInt32BE(12), duration: bytes.readUInt32BE(16) };
}

function editsIn(bytes: Buffer): Edit[] {
  const isLong = bytes[0] === 1;
  const size = isLong ? 20 : 12;
  const count = Math.min(bytes.readUInt32BE(4), Math.floor((bytes.length - 8) / size), MAX_ENTRIES);
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * size;
    return {
      duration: isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at),
      mediaTime: isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4),
      rate: bytes.readInt32BE(at + size - 4) / 65_536,
    };
  });
}

function hidesPart({ edits = [], timescale = 0, duration = 0 }: Track, movieTimescale: number): boolean {
  const [edit, ...others] = edits.slice(edits.findIndex(({ mediaTime }) => mediaTime !== -1));
  if (!edit || others.length > 0 || edit.mediaTime < 0 || edit.rate !== 1) return true;
  // A duration of 0 means all of it, as in files that are written in fragments.
  if (edit.duration === 0 || duration === 0 || !timescale || !movieTimescale) return false;
  return edit.mediaTime / timescale + edit.duration / movieTimescale < duration / timescale - TOLERANCE_SECONDS;
}
