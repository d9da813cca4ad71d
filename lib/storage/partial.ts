import { copyFile, type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startDigest } from "./digest";
import { type Staged, stagingFolder, withoutUnhandledRejection } from "./staged";
import { writerOf } from "./writer";

/**
 * A staged file that may take several attempts to complete. Each attempt writes to its own file and starts with a copy of the
 * previous attempt's bytes. So a process that was wrongly considered dead cannot write to the file of the next attempt.
 */
export type PartialFile = {
  /** Number of bytes, including those of earlier attempts. */
  readonly sizeBytes: number;
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** Syncs the bytes written so far to disk, and returns their number. */
  sync(): Promise<number>;
  /** Discards all bytes and starts again. */
  restart(): Promise<void>;
  /** Ends the file, which is complete. */
  finish(): Promise<Staged>;
  /** Closes the file for a later attempt. */
  close(): Promise<void>;
};

const pathOf = (name: string) => join(stagingFolder(), name);

/** Deletes the file of an attempt, if there is one. */
export async function discardPartial(name: string): Promise<void> {
  await rm(pathOf(name), { force: true });
}

/** Returns the names of the files of attempts on this machine that begin with a prefix. */
export async function partialNames(prefix: string): Promise<string[]> {
  return (await readdir(stagingFolder()).catch(() => [])).filter((name) => name.startsWith(prefix));
}

/**
 * Opens a file for an attempt.
 * @param earlier the previous attempt, whose first `keepBytes` bytes are copied if its file is on this machine
 */
export async function openPartial(name: string, earlier: string, keepBytes: number): Promise<PartialFile> {
  await mkdir(stagingFolder(), { recursive: true, mode: 0o700 });
  const path = pathOf(name);
  const copied =
    keepBytes > 0 &&
    (await copyFile(pathOf(earlier), path).then(
      () => true,
      () => false,
    ));
  await discardPartial(earlier);
  const file = await open(path, copied ? "r+" : "w+", 0o600);
  const kept = copied ? await truncateTo(file, keepBytes) : 0;
  let digesting = startDigest(path);
  let writer = writerOf(file, kept, digesting.reached);

  return {
    get sizeBytes() {
      return writer.sizeBytes;
    },
    append: (bytes) => writer.append(bytes),
    async sync() {
      const bytes = writer.sizeBytes;
      await writer.sync();
      return bytes;
    },
    async restart() {
      await writer.flush();
      digesting.drop();
      await file.truncate(0);
      digesting = startDigest(path);
      writer = writerOf(file, 0, digesting.reached);
    },
    async finish() {
      await writer.flush();
      const { sizeBytes } = writer;
      const synced = withoutUnhandledRejection(writer.sync().finally(() => file.close()));
      return { path, sizeBytes, synced, digest: withoutUnhandledRejection(digesting.end(sizeBytes)) };
    },
    async close() {
      digesting.drop();
      try {
        await writer.sync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Truncates the file of another attempt to `bytes`. Returns its size. */
async function truncateTo(file: FileHandle, bytes: number): Promise<number> {
  const kept = Math.min(bytes, (await file.stat()).size);
  await file.truncate(kept);
  return kept;
}
