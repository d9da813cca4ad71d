import { randomUUID } from "node:crypto";
import { constants, copyFile, link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { env } from "../env";
import type { SenderPace } from "./consume";
import { consume } from "./consume";
import { startDigest } from "./digest";
import type { ReservedSpace } from "./free-space";
import { writerOf } from "./writer";

/**
 * A complete file that is not in the store yet. It is inspected and then stored or discarded. `synced` resolves when the file
 * survives a crash of the machine.
 */
export type StagedFile = { path: string; sizeBytes: number; synced: Promise<void> };
export type Staged = StagedFile & { digest: Promise<Buffer> };

/** The stream has more bytes than allowed. */
export class StreamTooLong extends Error {}

export const stagingFolder = () => join(env.dataDir, "objects", "staged");

async function newPath(): Promise<string> {
  await mkdir(stagingFolder(), { recursive: true, mode: 0o700 });
  return join(stagingFolder(), randomUUID());
}

/** A staged file while it is written. */
export type Staging<T extends StagedFile> = {
  /**
   * Appends bytes. Wait for the returned promise, if there is one, before the next call.
   * @throws StreamTooLong
   */
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** Ends the file, which is complete. */
  finish(): Promise<T>;
  /** Deletes the file. */
  abandon(): Promise<void>;
};

/** Opens a staged file whose size is limited and whose digest is computed while it is written. */
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
 * Writes a stream to a new file and computes its digest. Deletes the file if anything fails.
 * @param pace how slow the sender may be; absent for streams of our own
 * @throws StreamTooLong above `maxBytes`; SlowSender; StreamCut
 */
export async function stage(bytes: Readable, maxBytes: number, pace?: SenderPace): Promise<Staged> {
  return fill(await openStaged(maxBytes), bytes, pace);
}

/**
 * Like `stage`, without a digest: for bytes that are converted before they are stored.
 * @param space space that was reserved for the file
 */
export async function stageUndigested(
  bytes: Readable,
  maxBytes: number,
  pace?: SenderPace,
  space?: ReservedSpace,
): Promise<StagedFile> {
  const staging = await openUndigested(await newPath(), maxBytes);
  if (!space) return fill(staging, bytes, pace);
  return fill({ ...staging, append: (piece) => space.write(piece.length, () => staging.append(piece)) }, bytes, pace);
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

/** Creates a hard link to a stored file. The link keeps its bytes when the first name is reused. */
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

/** Stages a file that stays where it is: as a hard link, or as a copy from another file system. */
export async function stageCopy(from: string): Promise<StagedFile> {
  const path = await newPath();
  await linkOrCopy(from, path);
  const { size } = await stat(path);
  return { path, sizeBytes: size, synced: Promise.resolve() };
}

/** Creates a hard link, or a synced copy if the file systems differ or cannot link. The bytes of the file must never change. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    const file = await open(to, "r+");
    await file.sync().finally(() => file.close());
  }
}

/** Marks a promise as handled: its error reaches only code that awaits it, and possibly none does. */
export function withoutUnhandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Creates a staged file that `write` fills by its path. Deletes the file if anything fails. */
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

/** Deletes a staged file, unless it is already in the store. */
export async function discard({ path }: Pick<StagedFile, "path">): Promise<void> {
  await rm(path, { force: true });
}

/** Removes staged files that have not been written to since an instant: those that killed processes left behind. */
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
