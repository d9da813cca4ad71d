import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { container, newestMedia } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;
/** How long a published post may take to appear in lists. */
const LISTED_WITHIN_MS = 120_000;

type Kind = "FEED" | "REELS" | "STORY";
/** Properties of the expected media; `known` are IDs of other media that look the same. */
export type Sought = { kind: Kind; caption?: string; known?: string[] };

/**
 * Finds the media of a container. The container reports whether it was published, but not as which media, so the media is
 * looked up by caption, type and time. Without a unique match, the container's ID is used and the post has no permalink.
 */
export async function findPublished(run: Run, id: string, sought: Sought, since: Date): Promise<Published | undefined> {
  const { status_code } = await container(run, id);
  if (status_code === "IN_PROGRESS")
    throw new PlatformError("later", "Instagram has not finished processing this post", { retryAfterSeconds: 15 });
  if (status_code !== "PUBLISHED") return undefined;

  const { kind, caption = "", known = [] } = sought;
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const newest = await newestMedia(run, kind === "STORY" ? "stories" : "media");
  const matches = newest.filter(
    (media) =>
      (media.media_product_type ?? kind) === kind &&
      (kind === "STORY" || (media.caption ?? "").trim() === caption.trim()) &&
      !known.includes(media.id) &&
      Date.parse(media.timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) >= from,
  );
  const [match] = matches;
  if (match && matches.length === 1) return { id: match.id, permalink: match.permalink };
  if (!match && Date.now() - since.getTime() < LISTED_WITHIN_MS)
    throw new PlatformError("later", "Instagram does not list this post yet");
  return { id };
}
