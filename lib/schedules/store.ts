import { posts, publications, type Tx } from "../db";
import { Conflict } from "../errors";
import { holdMedia } from "../media";
import type { Publishable } from "./check";

type Stored = { scheduleId: number; ownerId: string; isDraft: boolean; at: string | null };

/** Stores the publications and posts of a schedule; each publication is due at its time. */
export async function storePublications(
  tx: Tx,
  { scheduleId, ownerId, isDraft, at }: Stored,
  publishable: Publishable[],
): Promise<void> {
  const parts = publishable.flatMap((publication) => publication.posts);
  const keys = parts.flatMap(({ attachmentPaths, thumbnailPath }) => [...attachmentPaths, thumbnailPath ?? ""]);
  // They were there when they were checked; from here on nobody can remove them before this is stored.
  if (!(await holdMedia(tx, ownerId, keys.filter(Boolean))))
    throw new Conflict("A file was just removed; send it again");
  const rows = await tx
    .insert(publications)
    .values(
      publishable.map(({ account, settings }, position) => ({
        scheduleId,
        accountId: account.id,
        position,
        settings,
        dueAt: isDraft ? null : at,
      })),
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
}
