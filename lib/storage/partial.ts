import { createHash } from "node:crypto";
import { copyFile, type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK, folder, type Staged } from "./staged";

/**
 * A staged file that may take several attempts to become whole. Each attempt has a file of its own name, and takes over
 * what the one before left: a process that was only thought dead goes on writing to its own file.
 */
export type PartialFile = {
  /** Bytes that were given to it, of earlier attempts too. */
  readonly sizeBytes: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Makes what was written so far survive a crash of the machine, and answers how much that is. */
  sync(): Promise<number>;
  /** Begins anew, with nothing. */
  restart(): Promise<void>;
  /** Ends it: all of the file is there. */
  finish(): Promise<Staged>;
  /** Leaves it for another attempt. */
  close(): Promise<void>;
};

const pathOf = (name: string) => join(folder(), name);

/** Drops what an attempt left; nothing happens where it left nothing. */
export async function discardPartial(name: string): Promise<void> {
  await rm(pathOf(name), { force: true });
}

/**
 * Opens a file for an attempt.
 * @param earlier the attempt before, whose first `keepBytes` bytes are taken over as far as they are on this machine
 */
export async function openPartial(name: string, earlier: string, keepBytes: number): Promise<PartialFile> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = pathOf(name);
  const copied =
    keepBytes > 0 &&
    (await copyFile(pathOf(earlier), path).then(
      () => true,
      () => false,
    ));
  await discardPartial(earlier);
  const file = await open(path, copied ? "r+" : "w+", 0o600);
  let digest = createHash("sha256");
  let given = 0;
  let written = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  if (copied) given = written = await takeOver(file, keepBytes, digest);

  async function write(): Promise<void> {
    if (waitingBytes === 0) return;
    const [pieces, bytes] = [waiting, waitingBytes];
    [waiting, waitingBytes] = [[], 0];
    const { bytesWritten } = await file.writev(pieces, written);
    if (bytesWritten !== bytes) throw new Error("the disk took less than it was given");
    written += bytes;
  }

  /** Writes what waits, after whatever is being written. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    writing.catch(() => {}); // whoever waits for it next is told
    return writing;
  }

  return {
    get sizeBytes() {
      return given;
    },
    async append(bytes) {
      digest.update(bytes);
      given += bytes.length;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes < CHUNK) return;
      const before = writing; // one piece is written while the next one comes in
      void flush();
      await before;
    },
    async sync() {
      await flush();
      const safe = written;
      await file.datasync();
      return safe;
    },
    async restart() {
      await writing;
      [waiting, waitingBytes, written, given] = [[], 0, 0, 0];
      digest = createHash("sha256");
      await file.truncate(0);
    },
    async finish() {
      await flush();
      await file.close();
      return { path, sizeBytes: written, sha256: digest.digest() };
    },
    async close() {
      try {
        await flush();
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Reads what another attempt left, up to `keepBytes`, into the digest; the rest is cut off. */
async function takeOver(file: FileHandle, keepBytes: number, digest: ReturnType<typeof createHash>): Promise<number> {
  const bytes = Math.min(keepBytes, (await file.stat()).size);
  await file.truncate(bytes);
  const buffer = Buffer.alloc(CHUNK);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
    digest.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return bytes;
}
