import { PlatformError } from "../errors";
import type { OutgoingPost, Session } from "../network";
import { type ListedVideo, newestVideos } from "./api";
import type { TikTokSettings } from "./settings";

const CLOCK_DIFFERENCE_MS = 60_000;

type Sought = Pick<OutgoingPost<TikTokSettings>, "content" | "settings">;

/**
 * Finds the one photo post since `since` with the same texts; undefined if TikTok lists none. The list contains only public
 * posts, and can be read only with the scope `video.list`.
 * @throws PlatformError if the list cannot answer the question
 */
export async function findPhotos(session: Session, sought: Sought, since: Date): Promise<string | undefined> {
  const isListed = sought.settings.privacyLevel === "PUBLIC_TO_EVERYONE";
  if (!isListed || !session.tokens.scopes?.includes("video.list"))
    throw new PlatformError("later", "TikTok shows this post only to its creator");
  const from = (since.getTime() - CLOCK_DIFFERENCE_MS) / 1000;
  const videos = await newestVideos(session);
  const matches = videos.filter((video) => video.create_time >= from && isSame(video, sought));
  if (matches.length > 1) throw new PlatformError("later", "TikTok lists several posts with the same text");
  return matches[0]?.id;
}

/** TikTok does not document which field of a listed photo post has which text, so each text must be in one of the fields. */
export function isSame(video: ListedVideo, { content, settings }: Sought): boolean {
  const isVideo = /\/video\//.test(video.share_url ?? "");
  const shown = [video.title, video.video_description].map((text) => text?.trim() ?? "");
  const said = [settings.title, content].map((text) => text.trim()).filter(Boolean);
  if (said.length === 0) return !isVideo && shown.every((text) => text === "");
  return !isVideo && said.every((text) => shown.some((one) => one === text || one.split("\n").includes(text)));
}
