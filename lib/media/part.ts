import { BadRequest } from "../errors";
import { bodyOf } from "../http/incoming";
import { consume, discard, openStaged, type Pace, SlowSender, type Staged, StreamCut, StreamTooLong } from "../storage";
import { boundaryOf, MultipartProblem, multipartReader, type PartSink } from "./multipart";
import { MAX_BYTES, tooLarge } from "./size";

/** What a multipart body may hold besides the file. */
const MAX_AROUND = 65_536;

/** The part named `file` of a multipart body, received. */
export type Part = { file: Staged; filename: string };

/**
 * Receives the part named `file`; whatever goes wrong, nothing of it is left.
 * @throws BadRequest for another body, without that part or with two; TooLarge above 100 MB
 */
export async function receivePart(request: Request, pace: Pace): Promise<Part> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > MAX_BYTES + MAX_AROUND) throw tooLarge();
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.toLowerCase().startsWith("multipart/form-data");
  const boundary = boundaryOf(type);
  if (isForm && boundary === undefined) throw unreadable("Content-Type names no boundary");
  const body = isForm ? bodyOf(request) : undefined;
  if (!body || boundary === undefined) {
    throw new BadRequest("file cannot be null: send multipart/form-data with one part named file");
  }
  const staging = await openStaged(MAX_BYTES);
  const sink = sinkFor((bytes) => staging.append(bytes));
  const reader = multipartReader(boundary, sink);
  try {
    await consume(body, reader.write, pace);
    if (!reader.isComplete()) throw unreadable("the multipart body is not complete");
    if (sink.filename === undefined) throw new BadRequest("file cannot be null: the body has no part of that name");
  } catch (error) {
    body.resume(); // let the client finish sending, so that it can read the answer
    await staging.abandon();
    throw refusalOf(error);
  }
  const file = await staging.finish();
  if (file.sizeBytes > 0) return { file, filename: sink.filename };
  await discard(file);
  throw new BadRequest("file is empty");
}

/** Stages the part named `file`; other parts are passed over, within bounds. */
function sinkFor(append: (bytes: Buffer) => Promise<void> | undefined): PartSink & { filename?: string } {
  let isFile = false;
  let around = 0;
  return {
    begin({ name, filename = "" }) {
      isFile = name === "file";
      if (isFile && this.filename !== undefined) throw new BadRequest("file is given twice: send one file a request");
      if (isFile) this.filename = filename;
    },
    data(bytes) {
      if (isFile) return append(bytes);
      around += bytes.length;
      if (around > MAX_AROUND) throw unreadable("the other parts of the body hold too much");
      return undefined;
    },
  };
}

/** What the sender is told; what is our own fault stays what it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof StreamTooLong) return tooLarge();
  if (error instanceof SlowSender) return tooSlow();
  if (error instanceof MultipartProblem) return unreadable(error.message);
  return error instanceof StreamCut ? cut() : error;
}

const unreadable = (why: string) => new BadRequest(`file cannot be read: ${why}`);
export const cut = () => unreadable("the connection was cut");
export const tooSlow = () => unreadable("it is being sent too slowly");
