import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import { databaseNow, db, dbOrTransaction, uploads } from "../db";
import { AccessDenied, ApiError, BadRequest, NotFound } from "../errors";
import { nodeBodyOf } from "../http/node-server";
import {
  assertFreeSpace,
  consume,
  discard,
  openStaged,
  putProblem,
  type ReservedSpace,
  reserveSpace,
  SENDER_PACE,
  type SenderPace,
  SlowSender,
  type Staged,
  StreamCut,
  StreamTooLong,
  stageUndigested,
  store,
  uploadOf,
} from "../storage";
import { fileTooLarge, MAX_BYTES, UnusableFile } from "./file-errors";
import { inspectFile } from "./inspect";
import { keepMedia } from "./keep";
import { boundaryOf, MultipartProblem, multipartReader, type PartSink } from "./multipart";
import { extensionOf, safeFilename } from "./name";
import { assertBytesAvailable, assertGrantAvailable } from "./quota";
import { openWorkshop } from "./workshop";

/** The maximum size of a multipart body besides the file. */
const MAX_AROUND = 65_536;

/** The received part named `file`. */
type UploadedPart = { file: Staged; filename: string };

/**
 * Receives the part named `file`. If anything fails, nothing is kept.
 * @throws BadRequest if the body is not multipart or has not exactly one such part; TooLarge above 100 MB
 */
async function receivePart(request: Request, pace: SenderPace): Promise<UploadedPart> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > MAX_BYTES + MAX_AROUND) throw fileTooLarge();
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.toLowerCase().startsWith("multipart/form-data");
  const boundary = boundaryOf(type);
  if (isForm && boundary === undefined) throw unreadable("Content-Type has no boundary");
  const body = isForm ? nodeBodyOf(request) : undefined;
  if (!body || boundary === undefined) {
    throw new BadRequest("file cannot be null: send multipart/form-data with one part named file");
  }
  const space = await reserveSpace(declared);
  try {
    return await stagePart(body, boundary, { pace, space });
  } catch (error) {
    throw partErrorOf(error);
  } finally {
    space.release();
  }
}

type Receiving = { pace: SenderPace; space: ReservedSpace };

async function stagePart(body: Readable, boundary: string, { pace, space }: Receiving): Promise<UploadedPart> {
  const staging = await openStaged(MAX_BYTES);
  const sink = sinkFor((bytes) => space.write(bytes.length, () => staging.append(bytes)));
  const reader = multipartReader(boundary, sink);
  try {
    await consume(body, reader.write, pace);
    if (!reader.isComplete()) throw unreadable("the multipart body is incomplete");
    if (sink.filename === undefined) throw new BadRequest("file cannot be null: the body has no part of that name");
    const file = await staging.finish();
    if (file.sizeBytes === 0) throw new BadRequest("file is empty");
    return { file, filename: sink.filename };
  } catch (error) {
    body.resume(); // let the client finish sending, so that it can read the response
    await staging.abandon();
    throw error;
  }
}

/** Stages the part named `file` and skips other parts, up to a limit. */
function sinkFor(append: (bytes: Buffer) => Promise<void> | undefined): PartSink & { filename?: string } {
  let isFile = false;
  let around = 0;
  return {
    begin({ name, filename = "" }) {
      isFile = name === "file";
      if (isFile && this.filename !== undefined) throw new BadRequest("file is given twice: send one file per request");
      if (isFile) this.filename = filename;
    },
    data(bytes) {
      if (isFile) return append(bytes);
      around += bytes.length;
      if (around > MAX_AROUND) throw unreadable("the other parts of the body are too large");
      return undefined;
    },
  };
}

/** Errors that the sender caused become a 400 or 413; any other error is returned unchanged. */
function partErrorOf(error: unknown): unknown {
  if (error instanceof StreamTooLong) return fileTooLarge();
  if (error instanceof SlowSender) return uploadTooSlow();
  if (error instanceof MultipartProblem) return unreadable(error.message);
  return error instanceof StreamCut ? connectionCut() : error;
}

const unreadable = (why: string) => new BadRequest(`file cannot be read: ${why}`);
const connectionCut = () => unreadable("the connection was cut");
const uploadTooSlow = () => unreadable("the connection is too slow");

/** Decides whether to store the received file, or to return what an earlier request with the same `Idempotency-Key` stored. */
type Keep<T> = (file: { filename: string; digest: string }, store: () => Promise<{ path: string }>) => Promise<T>;

/**
 * Direct upload: streams the part named `file` to a staged file, inspects it and lets `keep` decide how to store it. A file
 * that is not stored is deleted.
 * @throws BadRequest for a body without that part, or a file that is not a usable image or video; TooLarge above 100 MB;
 * QuotaExceeded; InsufficientStorage
 */
export async function uploadMedia<T>(ownerId: string, request: Request, keep: Keep<T>, pace = SENDER_PACE): Promise<T> {
  openWorkshop(); // starts while the bytes arrive
  const { file, filename } = await receivePart(request, pace);
  try {
    const look = await inspectFile(file.path, ownerId);
    return await keep({ filename, digest: (await file.digest).toString("hex") }, async () => {
      const { key } = await keepMedia(ownerId, file, look, { filename });
      return { path: key };
    });
  } catch (error) {
    throw error instanceof UnusableFile ? new BadRequest(error.message) : error;
  } finally {
    await discard(file);
  }
}

/**
 * `PUT /media/uploads/{owner}/{name}`: an upload by a grant of the embedded store. The file is kept apart from media until
 * it is confirmed or first used. Until then, a grant can be used again before it expires, and the last upload counts.
 * @throws AccessDenied if the request differs from the grant, or the grant has expired
 */
export async function answerPut(key: string, request: Request, pace = SENDER_PACE): Promise<Response> {
  const length = request.headers.get("content-length");
  if (length === null) throw new ApiError(411, "Content-Length is missing");
  const query = new URL(request.url).searchParams;
  const problem = putProblem(key, query, request.headers, await databaseNow());
  if (problem) throw new AccessDenied(problem);
  // The owner may have been deleted since the grant was signed.
  const [grant] = await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.key, key));
  if (!grant) throw new NotFound("Upload", key);
  const body = nodeBodyOf(request);
  if (!body) throw connectionCut();
  const space = await reserveSpace(Number(length));
  const file = await stageUndigested(body, Number(length), pace, space)
    .catch((error) => Promise.reject(putErrorOf(error)))
    .finally(space.release);
  try {
    if (file.sizeBytes !== Number(length)) throw connectionCut();
    await store.put(uploadOf(key), file, request.headers.get("content-type") ?? "");
    await removeIfSettled(key);
  } finally {
    await discard(file);
  }
  return new Response(null, { status: 200 });
}

/**
 * Removes an upload whose grant was confirmed or rejected before it arrived: nothing reads it, and it does not count in the
 * owner's quota. It is answered like any other, as a bucket does.
 */
async function removeIfSettled(key: string): Promise<void> {
  const isOpen = and(eq(uploads.key, key), eq(uploads.state, "GRANTED"));
  const [open] = await db.select({ id: uploads.id }).from(uploads).where(isOpen);
  if (!open) await store.remove(uploadOf(key));
}

/** Errors that the sender caused become a 400; any other error is returned unchanged. */
function putErrorOf(error: unknown): unknown {
  if (error instanceof SlowSender) return uploadTooSlow();
  return error instanceof StreamCut ? connectionCut() : error;
}

/** How long a pre-signed PUT can start (SPEC, "Limits": a ten-minute window). */
const WINDOW_SECONDS = 600;

export type UploadRequest = { filename: string; contentType: string; sizeBytes: number };

export type UploadGrant = {
  key: string;
  method: "PUT";
  url: string;
  headers: { [name: string]: string };
  expiresAt: string;
};

/**
 * Grants one upload directly to the store, with exactly this type, size and name.
 * @throws TooLarge above 100 MB; QuotaExceeded; InsufficientStorage; BadRequest for values that cannot be signed
 */
export async function grantUpload(
  ownerId: string,
  { filename, contentType, sizeBytes }: UploadRequest,
): Promise<UploadGrant> {
  if (sizeBytes > MAX_BYTES) throw fileTooLarge();
  assertName(filename);
  await assertFreeSpace(sizeBytes);
  const id = randomUUID();
  const key = `${ownerId}/${id}.${extensionOf(filename)}`;
  const now = await databaseNow();
  now.setMilliseconds(0);
  const expiresAt = new Date(now.getTime() + WINDOW_SECONDS * 1000);
  const name = safeFilename(filename);
  const terms = { key, contentType: contentType.toLowerCase(), sizeBytes, filename: name, now, expiresAt };
  const { url, headers } = await store.grantPut(terms);
  await dbOrTransaction.transaction(async (tx) => {
    await assertGrantAvailable(tx, ownerId);
    await assertBytesAvailable(tx, ownerId, sizeBytes);
    await tx
      .insert(uploads)
      .values({ id, ownerId, key, filename: name, sizeBytes, expiresAt: expiresAt.toISOString() });
  });
  return { key, method: "PUT", url, headers, expiresAt: expiresAt.toISOString().replace(".000Z", "Z") };
}

function assertName(filename: string): void {
  if (/\p{Cc}/u.test(filename)) throw new BadRequest("filename contains a control character");
  if (safeFilename(filename) === "file" && !/file$/.test(filename))
    throw new BadRequest("filename does not contain a file name");
}
