import { mkdir, statfs } from "node:fs/promises";
import { env } from "../env";
import { InsufficientStorage } from "../errors";

/**
 * Checks that the disk of `DATA_DIR`, which also holds the embedded database, has room for a file above the reserve. Only
 * uploads and imports ask, so that publishing, sign-in and PostgreSQL can go on when the disk is nearly full.
 * @throws InsufficientStorage
 */
export async function assertFreeSpace(sizeBytes: number, folder = env.dataDir): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - sizeBytes >= env.reservedDiskBytes) return;
  throw new InsufficientStorage();
}

/** Converts the error of a full disk (ENOSPC, EDQUOT); any other error is returned unchanged. */
export function storageErrorOf<T>(error: T): T | InsufficientStorage {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" ? new InsufficientStorage() : error;
}
