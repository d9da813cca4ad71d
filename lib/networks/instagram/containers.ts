import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { container, createContainer, newestMedia, publishContainer } from "./api";
import { containerError, isGone } from "./errors";

/** Fetching a file fails now and then on a good address, and containers expire: a new one helps, but not for ever. */
const TRIES = 3;

type Fields = () => Promise<{ [name: string]: string | undefined }>;
type Kind = "FEED" | "REELS" | "STORY";
/** What the published media will look like; `known` are ids of others that look the same. */
type Sought = { kind: Kind; caption?: string; known?: string[] };

/** Makes a container and waits until it can be used. Each try asks for its fields anew: media addresses are short-lived. */
export async function prepare(run: Run, name: string, fields: Fields): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = await run.step(`${name}, container ${attempt}`, async () => createContainer(run, await fields()));
    const state = await run.poll(`${name}, container ${attempt} ready`, async () => {
      const now = await container(run, id);
      return now.status_code === "IN_PROGRESS" ? undefined : now;
    });
    if (state.status_code === "FINISHED" || state.status_code === "PUBLISHED") return id;
    const error = containerError(state.status);
    if (error.kind === "rejected" || attempt === TRIES) throw error;
  }
}

/** Prepares and publishes; a container that is gone by then (24 hours) is made once more. */
export async function publishPrepared(run: Run, name: string, fields: Fields, sought: Sought): Promise<Published> {
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? name : `${name}, time ${attempt}`;
    const id = await prepare(run, part, fields);
    try {
      return await run.commit(`${part}, publish`, async () => ({ id: await publishContainer(run, id) }), {
        find: (since) => findPublished(run, id, sought, since),
        repeatable: true,
      });
    } catch (error) {
      if (!isGone(error) || attempt === TRIES) throw error;
    }
  }
}

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
  const from = since.getTime() - 60_000;
  const newest = await newestMedia(run, kind === "STORY" ? "stories" : "media").catch((error: unknown) => {
    if (error instanceof PlatformError) return [];
    throw error;
  });
  const matches = newest.filter(
    (media) =>
      (media.media_product_type ?? kind) === kind &&
      (kind === "STORY" || (media.caption ?? "").trim() === caption.trim()) &&
      !known.includes(media.id) &&
      Date.parse(media.timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) >= from,
  );
  const [match] = matches;
  return match && matches.length === 1 ? { id: match.id, permalink: match.permalink } : { id };
}
