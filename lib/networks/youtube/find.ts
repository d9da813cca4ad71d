import { PlatformError } from "../errors";
import type { Session } from "../network";
import { myChannel, newestUploads } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Finds the one upload of the channel since `since` with this title, once the session no longer reports its video.
 * @throws PlatformError `later` if none or several match
 */
export async function findUpload(session: Session, title: string, since: Date): Promise<{ id: string }> {
  const { contentDetails } = await myChannel(session);
  const playlist = contentDetails?.relatedPlaylists?.uploads;
  const uploads = playlist ? await newestUploads(session, playlist) : [];
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const matches = uploads.filter((one) => one.title.trim() === title.trim() && Date.parse(one.publishedAt) >= from);
  const [match] = matches;
  if (match && matches.length === 1) return { id: match.id };
  throw new PlatformError(
    "later",
    "YouTube no longer has this upload, and no video on the channel is certainly this one",
  );
}
