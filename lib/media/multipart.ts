/** The head of a part (RFC 7578, section 4.2). */
export type PartHead = { name: string; filename?: string };

/** Receives the parts, in the order in which they arrive. */
export type PartSink = {
  begin(head: PartHead): void;
  /** If this returns a promise, wait for it before writing more. */
  data(bytes: Buffer): Promise<void> | undefined;
};

/** The body is not valid multipart, or contains too much besides the file. */
export class MultipartProblem extends Error {}

const LINE = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
/** No part of a form needs a larger head. */
const MAX_HEAD = 16_384;

/** Returns the boundary from a multipart/form-data Content-Type (RFC 2046, section 5.1.1); undefined if there is none. */
export function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Parses a multipart/form-data body while it arrives (RFC 7578; RFC 2046, section 5.1). Each chunk is searched for the
 * boundary with one indexOf and passed on without copying, which keeps large files cheap.
 */
export function multipartReader(boundary: string, sink: PartSink) {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let state: "before" | "delimiter" | "head" | "body" | "over" = "before";
  // The first boundary does not have to follow a line break. This adds one.
  let held: Buffer = LINE;
  let taking: Promise<void> | undefined;

  function hand(bytes: Buffer): void {
    if (state === "body" && bytes.length > 0) taking = sink.data(bytes) ?? taking;
  }

  /** Everything up to the next boundary belongs to the part, or is ignored before the first one. */
  function takeBody(bytes: Buffer): Buffer | undefined {
    const at = bytes.indexOf(delimiter);
    if (at < 0) {
      const whole = bytes.length - tailThatMayBegin(bytes, delimiter);
      hand(bytes.subarray(0, whole));
      return hold(bytes.subarray(whole));
    }
    hand(bytes.subarray(0, at));
    state = "delimiter";
    return bytes.subarray(at + delimiter.length);
  }

  /** After a boundary: `--` if it was the last one, otherwise white space and a line break. */
  function takeDelimiter(bytes: Buffer): Buffer | undefined {
    if (bytes.length < 2) return hold(bytes);
    if (bytes[0] === 0x2d && bytes[1] === 0x2d) {
      state = "over";
      return undefined;
    }
    const end = bytes.indexOf(LINE);
    if (end < 0 ? bytes.length > MAX_HEAD : !/^[ \t]*$/.test(bytes.toString("latin1", 0, end))) {
      throw new MultipartProblem("a boundary is followed by other characters");
    }
    if (end < 0) return hold(bytes);
    state = "head";
    return bytes.subarray(end); // keeps the line break, so that an empty head ends like any other
  }

  function takeHead(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0 ? bytes.length > MAX_HEAD : end > MAX_HEAD)
      throw new MultipartProblem("the head of a part is too long");
    if (end < 0) return hold(bytes);
    sink.begin(headOf(bytes.toString("utf8", 0, end)));
    state = "body";
    return bytes.subarray(end + HEAD_END.length);
  }

  function hold(bytes: Buffer): undefined {
    held = Buffer.from(bytes);
  }

  return {
    /** @throws MultipartProblem, and whatever the sink throws */
    write(piece: Buffer): Promise<void> | undefined {
      taking = undefined;
      let bytes: Buffer | undefined = held.length > 0 ? Buffer.concat([held, piece]) : piece;
      held = Buffer.alloc(0);
      while (bytes && state !== "over") {
        if (state === "delimiter") bytes = takeDelimiter(bytes);
        else if (state === "head") bytes = takeHead(bytes);
        else bytes = takeBody(bytes);
      }
      return taking;
    },
    /** Whether the last boundary has arrived. */
    isComplete: () => state === "over",
  };
}

/** Returns how many bytes at the end could be the start of the delimiter. */
function tailThatMayBegin(bytes: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, bytes.length - delimiter.length + 1);
  for (let at = bytes.indexOf(0x0d, from); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (bytes.subarray(at).equals(delimiter.subarray(0, bytes.length - at))) return bytes.length - at;
  }
  return 0;
}

/** @throws MultipartProblem if there is no `name` */
function headOf(lines: string): PartHead {
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(lines)?.[1] ?? "";
  const name = parameter(disposition, "name");
  if (name === undefined) throw new MultipartProblem("a part has no name");
  const filename = extended(disposition) ?? parameter(disposition, "filename");
  return { name, ...(filename === undefined ? {} : { filename }) };
}

/** `name="value"` with `\"` and `\\` inside, or `name=value`. */
function parameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s";]+))`, "i").exec(disposition);
  return match?.[1]?.replace(/\\(["\\])/g, "$1") ?? match?.[2];
}

/** `filename*=UTF-8''…` (RFC 8187), which some clients send for names beyond ASCII. */
function extended(disposition: string): string | undefined {
  const encoded = /;[ \t]*filename\*=utf-8'[^']*'([^\s;"]+)/i.exec(disposition)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
