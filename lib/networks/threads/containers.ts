import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { container, createContainer, hasRoom, publishContainer } from "./api";
import { containerError, isNotFound } from "./errors";
import { findPublished, type Sought } from "./find";

/** A fault of fetching or processing gets one new container; one that expired while it waited (24 hours) is made again too. */
const TRIES = 2;
/** They last for 24 hours; what was made longer ago than this is not built upon. */
const FRESH_MS = 23 * 3_600_000;

type Fields = () => Promise<{ [name: string]: string | undefined }>;

type Prepared = { id: string; at: number };

/** Makes a container and waits until it can be used. Each try asks for its fields anew: media addresses are short-lived. */
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
    if (state.status === "ERROR") assertMayPass(containerError(state.error_message), attempt);
    else if (attempt === TRIES) throw new PlatformError("rejected", "Threads let the prepared post expire twice");
  }
}

/** A part of a carousel; one that the post outlasted (it waited for its turn, or for its person) is made again. */
export async function prepareItem(run: Run, name: string, fields: Fields): Promise<string> {
  for (let time = 1; ; time++) {
    const { id, at } = await prepare(run, time === 1 ? name : `${name}, time ${time}`, fields);
    if (Date.now() - at < FRESH_MS) return id;
  }
}

function assertMayPass(error: PlatformError, attempt: number): void {
  if (error.kind === "rejected") throw error;
  if (attempt === TRIES) throw new PlatformError("rejected", `${error.message}, twice`, { answer: error.answer });
}

/** Prepares and publishes; a container that is gone by then is made once more. */
export async function publishPrepared(run: Run, name: string, fields: Fields, sought: Sought): Promise<Published> {
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? name : `${name}, time ${attempt}`;
    if (run.isDone(`${part}, gone`)) continue; // never tried again, whatever became of the next
    const { id } = await prepare(run, part, fields);
    try {
      return await run.commit(`${part}, publish`, () => publish(run, id, sought), {
        find: (since) => findPublished(run, id, sought, since),
        repeatable: true,
      });
    } catch (error) {
      if (!isNotFound(error) || attempt === TRIES) throw error;
      const { status } = await container(run, id);
      if (status !== "EXPIRED" && status !== "ERROR") throw error; // ready in a moment: the same container is published then
      await run.step(`${part}, gone`, async () => true);
    }
  }
}

/** The code for a quota that is used up is not documented, so the quota is read first; a read that fails decides nothing. */
async function publish(run: Run, id: string, { inReplyTo }: Sought): Promise<Published> {
  if (!(await hasRoom(run, inReplyTo ? "reply" : "post").catch(allowing)))
    throw new PlatformError("later", "This account has used up what Threads lets it publish within 24 hours", {
      throttled: true,
      retryAfterSeconds: 3600,
    });
  try {
    return { id: await publishContainer(run, id) };
  } catch (error) {
    throw await doubted(run, id, error);
  }
}

/** What Threads answers for a container that is out already is not documented: a refusal of one that is out is none. */
async function doubted(run: Run, id: string, error: unknown): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const { status } = await container(run, id).catch(() => ({ status: undefined }));
  if (status !== "PUBLISHED") return error;
  return new PlatformError("unknown", "Threads has published this post already", { answer: error.answer });
}

function allowing(error: unknown): true {
  if (error instanceof PlatformError && error.kind !== "reconnect") return true;
  throw error;
}
