import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { env } from "../env";
import type { SenderPace } from "./consume";
import { consume } from "./consume";
import { startDigest } from "./digest";
import { writerOf } from "./writer";

/**
 * Bytes in a file that nobody knows of yet: to be looked at, then put into the store or discarded. They are all there; that
 * they survive a crash of the machine, and their digest, may come a moment later.
 */
export type StagedFile = { path: string; sizeBytes: number; synced: Promise<void> };
export type Staged = StagedFile & { digest: Promise<Buffer> };

/** More bytes came than may be. */
export class StreamTooLong extends Error {}

export const stagingFolder = () => join(env.dataDir, "objects", "staged");

async function newPath(): Promise<string> {
  await mkdir(stagingFolder(), { recursive: true, mode: 0o700 });
  return join(stagingFolder(), randomUUID());
}

/** A staged file that is being written. */
export type Staging<T extends StagedFile> = {
  /**
   * Takes the next bytes; wait for what it answers before giving it more.
   * @throws StreamTooLong
   */
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** All of it is there. */
  finish(): Promise<T>;
  /** No file is left. */
  abandon(): Promise<void>;
};

/** Begins a staged file that is counted and digested while it is written. */
export async function openStaged(maxBytes: number): Promise<Staging<Staged>> {
  const path = await newPath();
  const digesting = startDigest(path);
  const { append, finish, abandon } = await openUndigested(path, maxBytes, digesting.reached);
  return {
    append,
    async finish() {
      const file = await finish();
      return { ...file, digest: withoutUnhandledRejection(digesting.end(file.sizeBytes)) };
    },
    async abandon() {
      digesting.drop();
      await abandon();
    },
  };
}

async function openUndigested(
  path: string,
  maxBytes: number,
  wrote?: (bytes: number) => void,
): Promise<Staging<StagedFile>> {
  const file = await open(path, "wx", 0o600);
  const writer = writerOf(file, 0, wrote);
  return {
    append(bytes) {
      if (writer.sizeBytes + bytes.length > maxBytes) throw new StreamTooLong(`more than ${maxBytes} bytes`);
      return writer.append(bytes);
    },
    async finish() {
      await writer.flush();
      return {
        path,
        sizeBytes: writer.sizeBytes,
        synced: withoutUnhandledRejection(writer.sync().finally(() => file.close())),
      };
    },
    async abandon() {
      await writer.flush().catch(() => {});
      await file.close().catch(() => {});
      await rm(path, { force: true });
    },
  };
}

/**
 * Streams bytes into a new file, counting and digesting each of them. Whatever goes wrong, no file is left.
 * @param pace how slow the sender may be; absent where the sender is ourselves
 * @throws StreamTooLong above `maxBytes`; SlowSender; StreamCut
 */
export async function stage(bytes: Readable, maxBytes: number, pace?: SenderPace): Promise<Staged> {
  return fill(await openStaged(maxBytes), bytes, pace);
}

/** The same without a digest: for bytes that are read again before they count. */
export async function stageUndigested(bytes: Readable, maxBytes: number, pace?: SenderPace): Promise<StagedFile> {
  return fill(await openUndigested(await newPath(), maxBytes), bytes, pace);
}

async function fill<T extends StagedFile>(staging: Staging<T>, bytes: Readable, pace?: SenderPace): Promise<T> {
  try {
    await consume(bytes, staging.append, pace);
    return await staging.finish();
  } catch (error) {
    bytes.destroy();
    await staging.abandon();
    throw error;
  }
}

/** A second name for a stored file's bytes, which stay what they are when the first name is given to others. */
export async function stageLink(from: string): Promise<Staged> {
  const path = await newPath();
  await link(from, path);
  const { size } = await stat(path);
  return {
    path,
    sizeBytes: size,
    synced: Promise.resolve(),
    digest: withoutUnhandledRejection(startDigest(path).end(size)),
  };
}

/** Whoever needs it waits for it and is told when it fails; nobody may. */
export function withoutUnhandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A staged file that something else writes, by its path. Whatever goes wrong, no file is left. */
export async function stageWrittenBy<T>(write: (path: string) => Promise<T>): Promise<{ file: StagedFile; made: T }> {
  const path = await newPath();
  try {
    const made = await write(path);
    const file = await open(path, "r+");
    const { size } = await file.stat();
    return {
      file: { path, sizeBytes: size, synced: withoutUnhandledRejection(file.datasync().finally(() => file.close())) },
      made,
    };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Drops a staged file; nothing happens where it was put into the store already. */
export async function discard({ path }: Pick<StagedFile, "path">): Promise<void> {
  await rm(path, { force: true });
}

/** Removes staged files that nobody has written to since an instant: what processes that were killed left. */
export async function discardAbandoned(since: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(stagingFolder()).catch(() => [])) {
    const path = join(stagingFolder(), name);
    const found = await stat(path).catch(() => undefined);
    if (!found || found.ctimeMs >= since.getTime()) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
