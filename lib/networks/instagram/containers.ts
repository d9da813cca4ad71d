import { plainText } from "../../text";
import { PlatformError } from "../errors";
import { identifyPublished, reachesBack } from "../lookalikes";
import { graphTime } from "../meta/graph";
import type { Lookalike, Lookup, Published, Run, Searched } from "../network";
import { type Container, container, createContainer, MEDIA_LISTED, newestMedia, publishContainer } from "./api";
import { containerError, isContainerGone, isContainerStateError } from "./errors";

type Kind = "FEED" | "REELS" | "STORY";
/** Properties of the expected media; `known` are IDs of other media that look the same. */
type ExpectedMedia = { kind: Kind; caption?: string; known?: string[] };

/** Lists the account's newest media with this caption and type. */
async function lookalikes(run: Run, expected: ExpectedMedia): Promise<Lookalike[]> {
  return (await search(run, expected, new Date())).listed;
}

async function search(run: Run, { kind, caption = "", known = [] }: ExpectedMedia, from: Date): Promise<Searched> {
  const { data: newest, paging } = await newestMedia(run, kind === "STORY" ? "stories" : "media");
  const listed = newest
    .filter(
      (media) =>
        (media.media_product_type ?? kind) === kind &&
        (kind === "STORY" || plainText(media.caption) === plainText(caption)) &&
        !known.includes(media.id),
    )
    .map(({ id, permalink, timestamp }) => ({ id, permalink, createdAt: graphTime(timestamp) }));
  const times = newest.map(({ timestamp }) => graphTime(timestamp));
  return { listed, isWhole: reachesBack({ times, limit: MEDIA_LISTED, ...paging }, from) };
}

/**
 * Finds the media of a container. The container reports whether it was published, but not as which media, so the media is
 * identified by caption, type and time. If that is not possible, the container's ID is used and the post has no permalink.
 */
async function findPublished(
  run: Run,
  id: string,
  expected: ExpectedMedia,
  lookup: Lookup,
): Promise<Published | undefined> {
  const { status_code } = await container(run, id);
  if (status_code === "IN_PROGRESS")
    throw new PlatformError("later", "Instagram has not finished processing this post", { retryAfterSeconds: 15 });
  if (status_code !== "PUBLISHED") return undefined;
  return identifyPublished(lookup, await lookalikes(run, expected), id);
}

/** Fetching a file sometimes fails although the address works, and containers expire, so a few new ones are tried. */
const TRIES = 3;
const CHECK_FILE = "Check that it opens, or export it again, and try again";
/** Containers expire after 24 hours; older ones than this are not used. */
const FRESH_MS = 23 * 3_600_000;
/** Instagram sometimes does not find a container for a moment. It is retried for this long before a new one is made. */
const NOT_FOUND_GRACE_MS = 120_000;

type Fields = () => Promise<{ [name: string]: string | undefined }>;

type Prepared = { id: string; at: number };

/** Creates a container and waits until it is ready. Each try builds its fields again because media addresses are short-lived. */
async function prepare(run: Run, name: string, fields: Fields): Promise<Prepared> {
  for (let attempt = 1; ; attempt++) {
    const made = await run.step(`${name}, container ${attempt}`, async () => ({
      id: await createContainer(run, await fields()),
      at: Date.now(),
    }));
    const { id } = made;
    const state = await run.poll(`${name}, container ${attempt} ready`, async () => {
      const now = await container(run, id);
      return now.status_code === "IN_PROGRESS" ? undefined : now;
    });
    if (state.status_code === "FINISHED" || state.status_code === "PUBLISHED") return made;
    const error = containerError(state.status);
    if (error.kind === "rejected") throw error;
    if (attempt === TRIES)
      throw new PlatformError("rejected", `${error.message}, ${TRIES} times. ${CHECK_FILE}`, { answer: error.answer });
  }
}

/** Prepares an item of a carousel; one that got too old while the post waited is created again. */
export async function prepareItem(run: Run, name: string, fields: Fields): Promise<string> {
  for (let time = 1; ; time++) {
    const { id, at } = await prepare(run, time === 1 ? name : `${name}, time ${time}`, fields);
    if (Date.now() - at < FRESH_MS) return id;
  }
}

/** Prepares a container and publishes it; one that has expired by then (24 hours) is created again. */
export async function publishPrepared(
  run: Run,
  name: string,
  fields: Fields,
  expected: ExpectedMedia,
): Promise<Published> {
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? name : `${name}, time ${attempt}`;
    if (run.isDone(`${part}, gone`)) continue; // never published again, even if it reappears
    const { id } = await prepare(run, part, fields);
    try {
      return await run.commit(`${part}, publish`, (isRepeated) => publish(run, id, isRepeated), {
        find: (lookup) => findPublished(run, id, expected, lookup),
        lookalikes: {
          likeness: [expected.kind, plainText(expected.caption)],
          list: () => lookalikes(run, expected),
          search: (from) => search(run, expected, from),
        },
        repeatable: true,
      });
    } catch (error) {
      if (!isContainerGone(error) || attempt === TRIES || !(await isContainerLost(run, part, id))) throw error;
      await run.step(`${part}, gone`, async () => true);
    }
  }
}

async function publish(run: Run, id: string, isRepeated: boolean): Promise<Published> {
  try {
    return { id: await publishContainer(run, id) };
  } catch (error) {
    throw await checkedError(run, id, isRepeated, error);
  }
}

/**
 * The answer for a container that is already published is not documented, so an error is checked against its status. That may lag
 * behind an earlier call, which keeps the outcome open unless the container can no longer be published.
 */
async function checkedError(run: Run, id: string, isRepeated: boolean, error: unknown): Promise<unknown> {
  if (!isContainerStateError(error)) return error;
  const status = await statusOf(run, id);
  const mayBeOut = isRepeated && status !== "EXPIRED" && status !== "ERROR";
  if (status !== "PUBLISHED" && !mayBeOut) return error;
  return new PlatformError("unknown", "Instagram may have published this post before", { answer: error.answer });
}

/** Whether a container that Instagram did not find is really gone. */
async function isContainerLost(run: Run, part: string, id: string): Promise<boolean> {
  const status = await statusOf(run, id);
  if (status === "EXPIRED" || status === "ERROR") return true;
  if (status === "PUBLISHED") return false;
  const { at } = await run.step(`${part}, mislaid`, async () => ({ at: Date.now() }));
  return Date.now() - at >= NOT_FOUND_GRACE_MS;
}

async function statusOf(run: Run, id: string): Promise<Container["status_code"] | undefined> {
  return container(run, id).then(
    ({ status_code }) => status_code,
    () => undefined,
  );
}
