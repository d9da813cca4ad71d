import type { FileHandle } from "node:fs/promises";

/** Bytes are written in chunks of this size. */
export const CHUNK = 1_048_576;
/** The file is synced after this many bytes, so that the last sync has little left to do. */
const SYNC_EVERY = 16 * CHUNK;

export type Writer = {
  /** Number of bytes, including those before `from`. */
  readonly sizeBytes: number;
  /** Appends bytes. Wait for the returned promise, if there is one, before the next call. */
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** Writes all bytes to the file. */
  flush(): Promise<void>;
  /** Writes all bytes and syncs them, so that they survive a crash of the machine. */
  sync(): Promise<void>;
};

/** A disk that becomes full in the middle of a write stores a part of it and reports the reason only for the next one. */
function shortWrite(): Error {
  return Object.assign(new Error("the disk wrote fewer bytes than it was given"), { code: "ENOSPC" });
}

/**
 * Writes to a file in chunks of 1 MiB, without copying. One chunk is written while the next one arrives.
 * @param from the position at which to start
 * @param wrote called with the size of the file after each write
 */
export function writerOf(file: FileHandle, from = 0, wrote?: (bytes: number) => void): Writer {
  let given = from;
  let written = from;
  let synced = from;
  let waiting: Uint8Array[] = [];
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const pieces = waiting;
    waiting = [];
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (bytes === 0) return;
    const { bytesWritten } = await file.writev(pieces, written);
    if (bytesWritten !== bytes) throw shortWrite();
    written += bytes;
    wrote?.(written);
    if (written - synced >= SYNC_EVERY) syncAhead();
  }

  function syncAhead(): void {
    synced = written;
    syncing = syncing.then(() => file.datasync());
    syncing.catch(() => {}); // the last sync reports the error
  }

  /** Writes the waiting bytes after the current write. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    writing.catch(() => {}); // the next caller that awaits it gets the error
    return writing;
  }

  return {
    get sizeBytes() {
      return given;
    },
    append(bytes) {
      const before = Math.floor(given / CHUNK);
      given += bytes.length;
      waiting.push(bytes);
      if (Math.floor(given / CHUNK) === before) return undefined;
      const earlier = writing;
      void flush();
      return earlier;
    },
    flush,
    async sync() {
      await flush();
      await syncing;
      await file.datasync();
    },
  };
}
