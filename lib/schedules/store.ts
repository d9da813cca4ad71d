import { posts, publications, type Tx } from "../db";
import { Conflict } from "../errors";
import { isWebUrl } from "../http/outside-url";
import { enqueue } from "../jobs";
import { holdMedia } from "../media";
import type { Publishable } from "./check";
import { awaitsMedia, startImports } from "./imports";
import { publicationDue, publicationKey } from "./jobs";

type Stored = { scheduleId: number; ownerId: string; isDraft: boolean; at: string | null };

/** Stores the publications and posts of a schedule and enqueues each publication. */
export async function storePublications(
  tx: Tx,
  { scheduleId, ownerId, isDraft, at }: Stored,
  publishable: Publishable[],
): Promise<void> {
  const parts = publishable.flatMap((publication) => publication.posts);
  const keys = parts.flatMap(({ attachmentPaths, thumbnailPath }) => [...attachmentPaths, thumbnailPath ?? ""]);
  // They were there when they were checked; from here on nobody can remove them before this is stored.
  if (
    !(await holdMedia(
      tx,
      ownerId,
      keys.filter((key) => key && !isWebUrl(key)),
    ))
  )
    throw new Conflict("A file was just removed; send it again");
  const rows = await tx
    .insert(publications)
    .values(
      publishable.map(({ account, settings }, position) => ({ scheduleId, accountId: account.id, position, settings })),
    )
    .returning({ id: publications.id, position: publications.position });
  const idAt = new Map(rows.map(({ id, position }) => [position, id]));
  await tx
    .insert(posts)
    .values(
      publishable.flatMap((publication, index) =>
        publication.posts.map((post, position) => ({ publicationId: idAt.get(index) ?? 0, position, ...post })),
      ),
    );
  if (awaitsMedia(publishable)) await startImports(tx, { ownerId, scheduleId });
  if (isDraft || !at || awaitsMedia(publishable)) return;
  for (const { id } of rows) {
    await enqueue(tx, publicationDue, { publicationId: id }, { at, key: publicationKey(id) });
  }
}
