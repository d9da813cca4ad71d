import { type Call, hasFault } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { startProcessing } from "./media-files";
import type { Container, ThreadsState } from "./state";

/** So many polls answer IN_PROGRESS. */
const POLLS = { TEXT: 1, IMAGE: 1, CAROUSEL: 1, VIDEO: 3 };
const LIFETIME = 86_400_000;

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedAs) return "PUBLISHED";
  if (now - container.createdAt > LIFETIME) return "EXPIRED";
  const isJudged = !container.url || container.file || container.flaw;
  if (container.polls <= POLLS[container.mediaType] || !isJudged) return "IN_PROGRESS";
  return container.flaw ? "ERROR" : "FINISHED";
}

/** `GET /{container}`: the poll that moves the processing on. Nothing else is told of a container. */
export async function presentContainer(state: ThreadsState, call: Call, container: Container): Promise<Response> {
  const polls = container.polls + 1;
  if (polls > POLLS[container.mediaType] && container.url && !container.file && !container.flaw)
    await startProcessing(state, container);
  const seen = state.containers.get(container.id) ?? container;
  const flaw = seen.flaw ?? (hasFault(call, "processing_fails") ? "FAILED_PROCESSING_VIDEO" : undefined);
  const polled = state.containers.put(seen.id, { ...seen, polls, flaw });
  const status = statusOf(polled, state.world.clock.now());
  const node = { id: polled.id, status, error_message: status === "ERROR" ? polled.flaw : undefined };
  return call.json(pick(node, fieldsOf(call, ["id"]), "ThreadsMediaContainer"));
}
