import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { db, mediaImports } from "../../db";
import { env } from "../../env";
import { newOwner } from "../../testing";
import { eraseMedia } from "../delete";

const folder = join(env.dataDir, "objects", "staged");

/** An import that was interrupted, with its partial download on this machine. */
async function interrupted(ownerId: string): Promise<string> {
  const [row] = await db
    .insert(mediaImports)
    .values({ ownerId, sourceUrl: "https://example.com/a.mp4", dueAt: "2999-01-01T00:00:00Z" })
    .returning();
  await mkdir(folder, { recursive: true });
  const name = `import-${row?.id}-1`;
  await writeFile(join(folder, name), "half of a film");
  return name;
}

test("the partial downloads of a user are deleted with the user, and those of other users are kept", async () => {
  const [gone, other] = [await newOwner(), await newOwner()];
  const [theirs, kept] = [await interrupted(gone), await interrupted(other)];
  await eraseMedia(gone);
  const left = await readdir(folder);
  expect([left.includes(theirs), left.includes(kept)]).toEqual([false, true]);
});
