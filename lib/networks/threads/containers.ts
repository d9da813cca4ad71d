import { plainText } from "../../text";
import { PlatformError } from "../errors";
import { identifyPublished, reachesBack } from "../lookalikes";
import { graphTime } from "../meta/graph";
import type { Lookalike, Lookup, NetworkSession, Published, Run, Searched } from "../network";
import {
  type Container,
  container,
  createContainer,
  hasQuotaLeft,
  MEDIA_LISTED,
  newestMedia,
  publishContainer,
  type ThreadsMedia,
} from "./api";
import { containerError, isNotFound } from "./errors";

type ExpectedPost = { text: string; inReplyTo?: string; mediaType: string };

/** Lists the profile's newest posts or replies with this text, type and parent. */
async function lookalikes(session: NetworkSession, expected: ExpectedPost): Promise<Lookalike[]> {
  return (await search(session, expected, new Date())).listed;
}

async function search(session: NetworkSession, expected: ExpectedPost, from: Date): Promise<Searched> {
  const { data: newest, paging } = await newestMedia(session, expected.inReplyTo ? "replies" : "threads");
  const same = newest.filter((media) => isSamePost(media, expected));
  const times = newest.map(({ timestamp }) => graphTime(timestamp));
  const listed = same.map(({ id, permalink, timestamp }) => ({ id, permalink, createdAt: graphTime(timestamp) }));
  return { listed, isWhole: reachesBack({ times, limit: MEDIA_LISTED, ...paging }, from) };
}

/**
 * Finds the post of a container. The container reports whether it was published, but not as which post, so the post is
 * identified by text, type, parent and time. If that is not possible, the container's ID is used and the post has no permalink.
 */
async function findPublished(
  session: NetworkSession,
  id: string,
  expected: ExpectedPost,
  lookup: Lookup,
): Promise<Published | undefined> {
  const { status } = await container(session, id);
  if (status === "IN_PROGRESS") throw new PlatformError("later", "Threads has not finished processing this post");
  if (status !== "PUBLISHED") return undefined;
  return identifyPublished(lookup, await lookalikes(session, expected), id);
}

/** Whether a post that was read back is the one we are looking for. */
export function isSamePost(media: ThreadsMedia, expected: ExpectedPost): boolean {
  return (
    plain(media.text ?? "") === plain(expected.text) &&
    (media.media_type ?? expected.mediaType) === expected.mediaType &&
    (media.replied_to?.id ?? expected.inReplyTo) === expected.inReplyTo
  );
}

/** Removes `#`: a tag that became the post's topic loses it in the text that Threads stores. */
function plain(text: string): string {
  return plainText(text.replaceAll("#", ""));
}

/** After an error in fetching or processing, one new container is made; also if one expired while waiting (24 hours). */
const TRIES = 2;
/** Containers expire after 24 hours; older ones than this are not used. */
const FRESH_MS = 23 * 3_600_000;
/**
 * Threads often does not find a finished container for some seconds, and sometimes never again
 * (github.com/nopara73/LongevityWorldCup/pull/815). It is retried for this long before a new one is made.
 */
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
      return now.status === "IN_PROGRESS" ? undefined : now;
    });
    if (state.status === "FINISHED" || state.status === "PUBLISHED") return made;
    if (state.status === "ERROR") assertRetryable(containerError(state.error_message), attempt);
    else if (attempt === TRIES) throw new PlatformError("rejected", "The prepared post expired at Threads twice");
  }
}

/** Prepares an item of a carousel; one that got too old while the post waited is created again. */
export async function prepareItem(run: Run, name: string, fields: Fields): Promise<string> {
  for (let time = 1; ; time++) {
    const { id, at } = await prepare(run, time === 1 ? name : `${name}, time ${time}`, fields);
    if (Date.now() - at < FRESH_MS) return id;
  }
}

function assertRetryable(error: PlatformError, attempt: number): void {
  if (error.kind === "rejected") throw error;
  if (attempt < TRIES) return;
  const says = `${error.message}, twice. If it has a file, check that the file opens, or export it again, and try again`;
  throw new PlatformError("rejected", says, { answer: error.answer });
}

/** Prepares a container and publishes it; one that has expired by then, or that Threads has lost, is created once more. */
export async function publishPrepared(
  run: Run,
  name: string,
  fields: Fields,
  expected: ExpectedPost,
): Promise<Published> {
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? name : `${name}, time ${attempt}`;
    if (run.isDone(`${part}, gone`)) continue; // never published again, whatever happens to the next one
    const { id } = await prepare(run, part, fields);
    try {
      return await run.commit(`${part}, publish`, (isRepeated) => publish(run, id, expected, isRepeated), {
        find: (lookup) => findPublished(run, id, expected, lookup),
        lookalikes: {
          likeness: { ...expected, text: plain(expected.text) },
          list: () => lookalikes(run, expected),
          search: (from) => search(run, expected, from),
        },
        repeatable: true,
      });
    } catch (error) {
      if (!isNotFound(error) || attempt === TRIES || !(await isContainerLost(run, part, id))) throw error;
      await run.step(`${part}, gone`, async () => true);
    }
  }
}

/** The error code for a used-up quota is not documented, so the quota is read first; if that fails, publishing goes on. */
async function publish(run: Run, id: string, { inReplyTo }: ExpectedPost, isRepeated: boolean): Promise<Published> {
  if (!(await hasQuotaLeft(run, inReplyTo ? "reply" : "post").catch(allowOnReadError)))
    throw new PlatformError("later", "This account has reached Threads' publishing limit for 24 hours", {
      throttled: true,
      retryAfterSeconds: 3600,
    });
  try {
    return { id: await publishContainer(run, id) };
  } catch (error) {
    throw await checkedError(run, id, isRepeated, error);
  }
}

/**
 * The answer for a container that is already published is not documented, so an error is checked against its status. That may lag
 * behind an earlier call without an answer, which keeps the outcome open unless the container can no longer be published.
 */
async function checkedError(run: Run, id: string, isRepeated: boolean, error: unknown): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const status = await statusOf(run, id);
  const mayBeOut = isRepeated && status !== "EXPIRED" && status !== "ERROR";
  if (status !== "PUBLISHED" && !mayBeOut) return error;
  return new PlatformError("unknown", "Threads may have published this post before", { answer: error.answer });
}

/** Whether a container that Threads did not find is really gone. */
async function isContainerLost(run: Run, part: string, id: string): Promise<boolean> {
  const status = await statusOf(run, id);
  if (status === "EXPIRED" || status === "ERROR") return true;
  if (status === "PUBLISHED") return false;
  const { at } = await run.step(`${part}, mislaid`, async () => ({ at: Date.now() }));
  return Date.now() - at >= NOT_FOUND_GRACE_MS;
}

async function statusOf(run: Run, id: string): Promise<Container["status"] | undefined> {
  return container(run, id).then(
    ({ status }) => status,
    () => undefined,
  );
}

function allowOnReadError(error: unknown): true {
  if (error instanceof PlatformError && error.kind !== "reconnect") return true;
  throw error;
}
