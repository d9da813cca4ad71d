import { PlatformError } from "../errors";
import type { Published, Run } from "../network";
import { container, createContainer, hasRoom, publishContainer } from "./api";
import { containerError, isNotFound } from "./errors";
import { findPublished, type Sought } from "./find";

/** A fault of fetching or processing gets one new container; one that expired while it waited (24 hours) is made again too. */
const TRIES = 2;

type Fields = () => Promise<{ [name: string]: string | undefined }>;

/** Makes a container and waits until it can be used. Each try asks for its fields anew: media addresses are short-lived. */
export async function prepare(run: Run, name: string, fields: Fields): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = await run.step(`${name}, container ${attempt}`, async () => createContainer(run, await fields()));
    const state = await run.poll(`${name}, container ${attempt} ready`, async () => {
      const now = await container(run, id);
      return now.status === "IN_PROGRESS" ? undefined : now;
    });
    if (state.status === "FINISHED" || state.status === "PUBLISHED") return id;
    if (state.status === "ERROR") assertMayPass(containerError(state.error_message), attempt);
    else if (attempt === TRIES) throw new PlatformError("rejected", "Threads let the prepared post expire twice");
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
    const id = await prepare(run, part, fields);
    try {
      return await run.commit(`${part}, publish`, () => publish(run, id, sought), {
        find: (since) => findPublished(run, id, sought, since),
        repeatable: true,
      });
    } catch (error) {
      if (!isNotFound(error) || attempt === TRIES) throw error;
      const { status } = await container(run, id);
      if (status !== "EXPIRED" && status !== "ERROR") throw error; // ready in a moment: the same container is published then
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
  return { id: await publishContainer(run, id) };
}

function allowing(error: unknown): true {
  if (error instanceof PlatformError && error.kind !== "reconnect") return true;
  throw error;
}
