import { mkdir, statfs } from "node:fs/promises";
import { env } from "../env";
import { InsufficientStorage } from "../errors";

/** What a file reserves at least when it turns out longer than declared. */
const STEP_BYTES = 1_048_576;

/** Bytes that the running uploads and imports of this process have reserved and not written yet. */
let reservedBytes = 0;

/**
 * Checks that the disk of `DATA_DIR`, which also holds the embedded database, has room for a file above the reserve and beside
 * the uploads that are running. Only uploads and imports ask, so that publishing, sign-in and PostgreSQL can go on when the disk
 * is nearly full.
 * @throws InsufficientStorage
 */
export async function assertFreeSpace(sizeBytes: number, folder = env.dataDir): Promise<void> {
  assertFits(sizeBytes, await freeDiskBytes(folder));
}

/** Returns the free bytes on the disk of a folder. */
export async function freeDiskBytes(folder = env.dataDir): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function assertFits(sizeBytes: number, free: number): void {
  if (free - reservedBytes - sizeBytes < env.reservedDiskBytes) throw new InsufficientStorage();
}

/** Space on the disk for one file while it arrives, so that parallel uploads cannot all count on the same free bytes. */
export type ReservedSpace = {
  /**
   * Calls `write` with room for these bytes. Returns undefined if `write` does and nothing had to be checked.
   * @throws InsufficientStorage (in the promise) if more arrives than was reserved and there is no room
   */
  write(sizeBytes: number, write: () => Promise<void> | undefined): Promise<void> | undefined;
  /** Gives back what was not written. */
  release(): void;
};

/**
 * Reserves space for a file. Call `release` when it is complete or abandoned.
 * @param sizeBytes its declared size, or 0
 * @throws InsufficientStorage
 */
export async function reserveSpace(sizeBytes: number, folder = env.dataDir): Promise<ReservedSpace> {
  let left = 0;
  let isReleased = false;
  const change = (bytes: number) => {
    left += bytes;
    reservedBytes += bytes;
  };
  const reserve = async (bytes: number) => {
    const free = await freeDiskBytes(folder);
    assertFits(bytes, free);
    if (!isReleased) change(bytes); // at once, so that no other upload is checked in between
  };
  const taken = (bytes: number) => change(-Math.min(bytes, left));
  await reserve(sizeBytes);
  return {
    write(bytes, write) {
      if (bytes <= left) {
        taken(bytes);
        return write();
      }
      const writing = reserve(Math.max(bytes - left, STEP_BYTES)).then(() => {
        taken(bytes);
        return write();
      });
      writing.catch(() => {}); // whoever waits for it gets the error
      return writing;
    },
    release() {
      isReleased = true;
      change(-left);
    },
  };
}

/** Converts the error of a full disk (ENOSPC, EDQUOT); any other error is returned unchanged. */
export function storageErrorOf<T>(error: T): T | InsufficientStorage {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" ? new InsufficientStorage() : error;
}
