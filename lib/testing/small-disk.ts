import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Mounts a file system of 8 MB for the tests of a file. Returns its folder; undefined if this process may not mount one. */
export function withSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "carillon-small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  afterAll(() => {
    execFileSync("umount", ["--lazy", folder]); // a file may still be open
    rmdirSync(folder);
  });
  return folder;
}

/** Writes a file until its disk has no byte left. */
export async function fillDisk(path: string): Promise<void> {
  const file = await open(path, "w");
  for (const size of [65_536, 4_096, 1]) {
    let isFull = false;
    while (!isFull) {
      isFull = await file.appendFile(Buffer.alloc(size)).then(
        () => false,
        () => true,
      );
    }
  }
  await file.close();
}
