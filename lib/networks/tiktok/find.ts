import { PlatformError } from "../errors";
import type { OutgoingPost, Session } from "../network";
import { type ListedVideo, newestVideos } from "./api";
import type { TikTokSettings } from "./settings";

const CLOCK_DIFFERENCE_MS = 60_000;

type Sought = Pick<OutgoingPost<TikTokSettings>, "content" | "settings">;

/**
 * The one photo post since then that says the same; undefined where TikTok shows none. Its list holds public posts only, and
 * only for those who allowed it to be read.
 * @throws PlatformError where the list cannot tell
 */
export async function findPhotos(session: Session, sought: Sought, since: Date): Promise<string | undefined> {
  const isListed = sought.settings.privacyLevel === "PUBLIC_TO_EVERYONE";
  if (!isListed || !session.tokens.scopes?.includes("video.list"))
    throw new PlatformError("later", "TikTok does not show this post to anybody but its creator");
  const from = (since.getTime() - CLOCK_DIFFERENCE_MS) / 1000;
  const videos = await newestVideos(session);
  const matches = videos.filter((video) => video.create_time >= from && isSame(video, sought));
  if (matches.length > 1) throw new PlatformError("later", "TikTok shows several posts that say the same");
  return matches[0]?.id;
}

/** Which of the two texts a listed photo post carries where is not documented: each must be found in one of its fields. */
export function isSame(video: ListedVideo, { content, settings }: Sought): boolean {
  const isVideo = /\/video\//.test(video.share_url ?? "");
  const shown = [video.title, video.video_description].map((text) => text?.trim() ?? "");
  const said = [settings.title, content].map((text) => text.trim()).filter(Boolean);
  if (said.length === 0) return !isVideo && shown.every((text) => text === "");
  return !isVideo && said.every((text) => shown.some((one) => one === text || one.split("\n").includes(text)));
}
