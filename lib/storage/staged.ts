import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { env } from "../env";
import { type Pace, SlowSender, watchPace } from "./pace";

/** Bytes move in pieces of this size. */
export const CHUNK = 1_048_576;

/** Bytes in a file that nobody knows of yet: to be looked at, then put into the store or discarded. */
export type StagedFile = { path: string; sizeBytes: number };
export type Staged = StagedFile & { sha256: Buffer };

/** More bytes came than may be. */
export class StreamTooLong extends Error {}

export const folder = () => join(env.dataDir, "objects", "staged");

async function newPath(): Promise<string> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  return join(folder(), randomUUID());
}

/**
 * Streams bytes into a new file, counting and digesting each of them. Whatever goes wrong, no file is left.
 * @param pace how slow the sender may be; absent where the sender is ourselves
 * @throws StreamTooLong above `maxBytes`; SlowSender; what the stream itself ends with
 */
export async function stage(bytes: Readable, maxBytes: number, pace?: Pace): Promise<Staged> {
  const digest = createHash("sha256");
  const file = await stageUndigested(bytes, maxBytes, pace, (chunk) => digest.update(chunk));
  return { ...file, sha256: digest.digest() };
}

/** The same without a digest, which takes longer than all the rest: for bytes that are read again before they count. */
export async function stageUndigested(
  bytes: Readable,
  maxBytes: number,
  pace?: Pace,
  see?: (chunk: Buffer) => void,
): Promise<StagedFile> {
  const path = await newPath();
  let sizeBytes = 0;
  const meter = new Transform({
    readableHighWaterMark: CHUNK,
    writableHighWaterMark: CHUNK,
    transform(chunk: Buffer, _, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return done(new StreamTooLong(`more than ${maxBytes} bytes`));
      see?.(chunk);
      done(null, chunk);
    },
  });
  const file = await open(path, "wx", 0o600);
  const unwatch =
    pace &&
    watchPace(
      pace,
      () => sizeBytes,
      () => meter.destroy(new SlowSender()),
    );
  try {
    await pipeline(bytes, meter, file.createWriteStream({ highWaterMark: CHUNK }));
    return { path, sizeBytes };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    unwatch?.();
  }
}

/** A second name for a file's bytes, which stay what they are when the first name is given to others. */
export async function stageLink(from: string): Promise<Staged> {
  const path = await newPath();
  await link(from, path);
  const digest = createHash("sha256");
  const file = await open(path);
  const { size } = await file.stat();
  for await (const chunk of file.createReadStream({ highWaterMark: CHUNK })) digest.update(chunk);
  return { path, sizeBytes: size, sha256: digest.digest() };
}

/** Drops a staged file; nothing happens where it was put into the store already. */
export async function discard({ path }: StagedFile): Promise<void> {
  await rm(path, { force: true });
}

/** Removes staged files that nobody has written to since an instant: what processes that were killed left. */
export async function discardAbandoned(since: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder()).catch(() => [])) {
    const path = join(folder(), name);
    const found = await stat(path).catch(() => undefined);
    if (!found || found.ctimeMs >= since.getTime()) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
