import type { FileHandle } from "node:fs/promises";

/** Bytes move in pieces of this size. */
export const CHUNK = 1_048_576;
/** So much is made durable while the rest is still coming, so that the last sync finds little to do. */
const SYNC_EVERY = 16 * CHUNK;

export type Writer = {
  /** Bytes that were given to it, and those before them. */
  readonly sizeBytes: number;
  /** Takes bytes. Wait for what it answers before giving it more; undefined: go on at once. */
  append(bytes: Uint8Array): Promise<void> | undefined;
  /** Everything that was given is in the file. */
  flush(): Promise<void>;
  /** All of that is there after a crash of the machine too. */
  sync(): Promise<void>;
};

/**
 * Writes to a file, in pieces of 1 MiB and without copying: one piece is written while the next one comes in.
 * @param from where to go on
 * @param wrote told each time how many bytes the file has now
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
    if (bytesWritten !== bytes) throw new Error("the disk took less than it was given");
    written += bytes;
    wrote?.(written);
    if (written - synced >= SYNC_EVERY) syncAhead();
  }

  function syncAhead(): void {
    synced = written;
    syncing = syncing.then(() => file.datasync());
    syncing.catch(() => {}); // whoever syncs last is told
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
