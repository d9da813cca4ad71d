import { PlatformError } from "../errors";
import type { Session } from "../network";
import { myChannel, newestUploads } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;

/**
 * The one upload of the channel since then with this title.
 * @throws PlatformError where there is none, or several: whether the bytes arrived, the session no longer says
 */
export async function findUpload(session: Session, title: string, since: Date): Promise<{ id: string }> {
  const { contentDetails } = await myChannel(session);
  const playlist = contentDetails?.relatedPlaylists?.uploads;
  const uploads = playlist ? await newestUploads(session, playlist) : [];
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const matches = uploads.filter((one) => one.title.trim() === title.trim() && Date.parse(one.publishedAt) >= from);
  const [match] = matches;
  if (match && matches.length === 1) return { id: match.id };
  throw new PlatformError("later", "YouTube no longer knows the upload, and shows no video that is certainly this one");
}
