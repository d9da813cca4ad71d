import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { container, newestMedia } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;
/** How long a post that is published may take to be listed. */
const LISTED_WITHIN_MS = 120_000;

type Kind = "FEED" | "REELS" | "STORY";
/** What the published media will look like; `known` are ids of others that look the same. */
export type Sought = { kind: Kind; caption?: string; known?: string[] };

/**
 * A container knows whether it was published, though not as what: the media is looked up by caption, kind and time.
 * Without a unique match the container's own id stands for it, and the post has no permalink.
 */
export async function findPublished(run: Run, id: string, sought: Sought, since: Date): Promise<Published | undefined> {
  const { status_code } = await container(run, id);
  if (status_code === "IN_PROGRESS")
    throw new PlatformError("later", "Instagram has not decided yet about this post", { retryAfterSeconds: 15 });
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
