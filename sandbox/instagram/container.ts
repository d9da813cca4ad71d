import { type Call, hasFault } from "../core/network";
import { fieldsOf, pick } from "./fields";
import { startProcessing } from "./media-files";
import type { Container, InstagramState } from "./state";

/** So many polls answer IN_PROGRESS, for images too. */
const POLLS = 2;
const LIFETIME = 86_400_000;

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedAs) return "PUBLISHED";
  if (now - container.createdAt > LIFETIME) return "EXPIRED";
  if (container.polls <= POLLS || (container.isVideo && !container.file && !container.flaw)) return "IN_PROGRESS";
  return container.flaw ? "ERROR" : "FINISHED";
}

/** `GET /{container}`: the poll that moves the processing on. */
export async function presentContainer(state: InstagramState, call: Call, container: Container): Promise<Response> {
  const fields = fieldsOf(call, ["id"]);
  if (container.polls >= POLLS && container.isVideo && !container.file && !container.flaw)
    await startProcessing(state, container);
  const seen = state.containers.get(container.id) ?? container;
  const doomed = hasFault(call, "processing_fails")
    ? "Error: Media upload has failed with error code 2207082"
    : undefined;
  const polled =
    seen.polls > POLLS && !doomed
      ? seen
      : state.containers.put(seen.id, { ...seen, polls: seen.polls + 1, flaw: seen.flaw ?? doomed });
  const status_code = statusOf(polled, state.world.clock.now());
  const node = {
    id: polled.id,
    status_code,
    status: status_code === "ERROR" ? polled.flaw : `${SENTENCES[status_code]}`,
  };
  return call.json(pick(node, fields, "IGContainer"));
}

const SENTENCES = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  PUBLISHED: "Published: Media has been published.",
  ERROR: "Error",
  EXPIRED: "Expired: Media was not published within 24 hours.",
} satisfies Record<ContainerStatus, string>;
