import { PlatformError } from "../errors";
import type { Published, Session } from "../network";
import { container, newestMedia, type ThreadsMedia } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;
/** How long a published post may take to appear in lists. */
const LISTED_WITHIN_MS = 120_000;

export type Sought = { text: string; inReplyTo?: string; mediaType: string };

/**
 * Finds the post of a container. The container reports whether it was published, but not as which post, so the post is looked
 * up by text, type, parent and time. Without a unique match, the container's ID is used and the post has no permalink.
 */
export async function findPublished(
  session: Session,
  id: string,
  sought: Sought,
  since: Date,
): Promise<Published | undefined> {
  const { status } = await container(session, id);
  if (status === "IN_PROGRESS") throw new PlatformError("later", "Threads has not finished processing this post");
  if (status !== "PUBLISHED") return undefined;

  const newest = await newestMedia(session, sought.inReplyTo ? "replies" : "threads");
  const matches = newest.filter((media) => isSame(media, sought, since));
  const [match] = matches;
  if (match && matches.length === 1) return { id: match.id, permalink: match.permalink };
  if (!match && Date.now() - since.getTime() < LISTED_WITHIN_MS)
    throw new PlatformError("later", "Threads does not list this post yet");
  return { id };
}

/** Whether a post that was read back is the one we are looking for. */
export function isSame(media: ThreadsMedia, sought: Sought, since: Date): boolean {
  // The Graph API writes the UTC offset without a colon.
  const time = Date.parse(media.timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return (
    plain(media.text ?? "") === plain(sought.text) &&
    (media.media_type ?? sought.mediaType) === sought.mediaType &&
    (media.replied_to?.id ?? sought.inReplyTo) === sought.inReplyTo &&
    time >= since.getTime() - CLOCK_DIFFERENCE_MS
  );
}

/** Removes `#`: a tag that became the post's topic loses it in the text that Threads stores. */
function plain(text: string): string {
  return text.normalize("NFC").replaceAll("#", "").replace(/\s+/g, " ").trim();
}
