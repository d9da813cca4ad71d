import { copyFile, type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { startDigest } from "./digest";
import { type Staged, stagingFolder, withoutUnhandledRejection } from "./staged";
import { writerOf } from "./writer";

/**
 * A staged file that may take several attempts to become whole. Each attempt has a file of its own name, and takes over
 * what the one before left: a process that was only thought dead goes on writing to its own file.
 */
export type PartialFile = {
  /** Bytes that were given to it, of earlier attempts too. */
  readonly sizeBytes: number;
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** Makes what was written so far survive a crash of the machine, and answers how much that is. */
  sync(): Promise<number>;
  /** Begins anew, with nothing. */
  restart(): Promise<void>;
  /** Ends it: all of the file is there. */
  finish(): Promise<Staged>;
  /** Leaves it for another attempt. */
  close(): Promise<void>;
};

const pathOf = (name: string) => join(stagingFolder(), name);

/** Drops what an attempt left; nothing happens where it left nothing. */
export async function discardPartial(name: string): Promise<void> {
  await rm(pathOf(name), { force: true });
}

/**
 * Opens a file for an attempt.
 * @param earlier the attempt before, whose first `keepBytes` bytes are taken over as far as they are on this machine
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
  const kept = copied ? await cutTo(file, keepBytes) : 0;
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

/** Cuts what another attempt left behind `bytes`; answers how much there is. */
async function cutTo(file: FileHandle, bytes: number): Promise<number> {
  const kept = Math.min(bytes, (await file.stat()).size);
  await file.truncate(kept);
  return kept;
}
