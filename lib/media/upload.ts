import { createHash, randomUUID } from "node:crypto";
import { Readable, Transform } from "node:stream";
import busboy from "busboy";
import { db, media } from "../db";
import { BadRequest, TooLarge } from "../errors";
import { keepObject, removeObject, stageObject } from "../storage";
import { lookAt, UnusableFile } from "./look";

/** 100 MB, counted while streaming. */
const MAX_BYTES = 100 * 1_048_576;
const MAX_NAME = "100 MB";

type Staged = { path: string; filename: string; sizeBytes: number; sha256: Buffer };

/** Stores what was received, or answers what the same file was stored as before (see `Idempotency-Key`). */
type Keep<T> = (file: { filename: string; sha256: string }, store: () => Promise<{ path: string }>) => Promise<T>;

/**
 * Direct upload: streams the part named `file` to the store, looks at the bytes and hands over how to keep them. What is
 * not kept is removed.
 * @throws BadRequest for a body without that part or a file that is no usable image or video; TooLarge above 100 MB
 */
export async function uploadMedia<T>(ownerId: string, request: Request, keep: Keep<T>): Promise<T> {
  const id = randomUUID();
  let kept = false;
  try {
    const { path, filename, sizeBytes, sha256 } = await stage(id, request);
    const look = await lookAt(path);
    const key = `${ownerId}/${id}.${extensionOf(filename)}`;
    const done = await keep({ filename, sha256: sha256.toString("hex") }, async () => {
      await keepObject(id);
      await db.insert(media).values({ id, ownerId, key, filename, sizeBytes, sha256, ...look });
      kept = true;
      return { path: key };
    });
    if (!kept) await removeObject(id);
    return done;
  } catch (error) {
    await removeObject(id);
    if (error instanceof UnusableFile) throw new BadRequest(error.message);
    throw error;
  }
}

async function stage(id: string, request: Request): Promise<Staged> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > MAX_BYTES + 65_536) throw new TooLarge("file", MAX_NAME);
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data") || !request.body) {
    throw new BadRequest("file cannot be null: send multipart/form-data with one part named file");
  }
  const parser = parserOf(type);
  const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
  return new Promise((resolve, reject) => {
    let staged: Promise<Staged> | undefined;
    let failed = false;
    const fail = (error: unknown) => {
      if (failed) return;
      failed = true;
      body.unpipe(parser);
      body.resume(); // let the client finish sending, so that it can read the answer
      parser.destroy(); // and with it the file's stream, so that its writing ends
      const refuse = () => reject(error);
      (staged ?? Promise.resolve()).then(refuse, refuse); // what is still being written cannot be removed
    };
    parser.on("file", (name, file, info) => {
      file.on("error", () => {}); // the parser's own; without a listener of the file's it would end the process
      if (name !== "file" || staged) {
        file.resume();
        if (staged) fail(new BadRequest("file is given twice: send one file a request"));
        return;
      }
      staged = stageFile(id, file, info.filename ?? "");
      staged.catch(fail);
    });
    parser.on("error", () => fail(new BadRequest("file cannot be read: the multipart body is not complete")));
    parser.on("close", () => {
      if (failed) return;
      if (staged) staged.then(resolve, reject);
      else reject(new BadRequest("file cannot be null: the body has no part of that name"));
    });
    body.on("error", () => fail(new BadRequest("file cannot be read: the connection was cut")));
    body.pipe(parser);
  });
}

/** @throws BadRequest where the type names no boundary */
function parserOf(type: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": type },
      limits: { files: 2, fields: 20, fieldSize: 1024, fileSize: MAX_BYTES + 1 },
      defParamCharset: "utf8",
    });
  } catch {
    throw new BadRequest("file cannot be read: Content-Type names no boundary");
  }
}

async function stageFile(id: string, file: Readable & { truncated?: boolean }, filename: string): Promise<Staged> {
  const digest = createHash("sha256");
  let sizeBytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      digest.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  const tooLarge = new Promise<never>((_, reject) => file.once("limit", () => reject(new TooLarge("file", MAX_NAME))));
  tooLarge.catch(() => {});
  const path = await Promise.race([stageObject(id, file, meter), tooLarge]);
  if (file.truncated) throw new TooLarge("file", MAX_NAME);
  if (sizeBytes === 0) throw new BadRequest("file is empty");
  return { path, filename: printable(filename), sizeBytes, sha256: digest.digest() };
}

/** A name that can stand in a header and on a page: no control characters, no folders, at most 255 characters. */
function printable(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .split(/[\\/]/)
    .at(-1);
  return (name || "file").slice(0, 255);
}

/** The key's extension comes from the declared name; it says nothing about the type (SPEC, "Media", rule 3). */
function extensionOf(filename: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? "bin";
}
