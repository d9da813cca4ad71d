import { BadRequest } from "../errors";
import { discard, PACE } from "../storage";
import { keepMedia } from "./keep";
import { lookAt } from "./look";
import { receivePart } from "./part";
import { UnusableFile } from "./unusable";
import { openWorkshop } from "./workshop";

/** Stores what was received, or answers what the same file was stored as before (see `Idempotency-Key`). */
type Keep<T> = (file: { filename: string; digest: string }, store: () => Promise<{ path: string }>) => Promise<T>;

/**
 * Direct upload: streams the part named `file` to a staged file, looks at the bytes and hands over how to keep them. What
 * is not kept is removed.
 * @throws BadRequest for a body without that part or a file that is no usable image or video; TooLarge above 100 MB
 */
export async function uploadMedia<T>(ownerId: string, request: Request, keep: Keep<T>, pace = PACE): Promise<T> {
  openWorkshop(); // while the bytes are coming in
  const { file, filename } = await receivePart(request, pace);
  try {
    const look = await lookAt(file.path);
    return await keep({ filename, digest: (await file.digest).toString("hex") }, async () => {
      const { key } = await keepMedia(ownerId, file, look, { filename });
      return { path: key };
    });
  } catch (error) {
    throw error instanceof UnusableFile ? new BadRequest(error.message) : error;
  } finally {
    await discard(file);
  }
}
