import { type Call, hasFault } from "../core/network";
import { fieldsOf, isTrue, listOf, parametersOf, pick } from "../meta/graph";
import { errors } from "./errors";
import { startProcessing } from "./media-files";
import { assertOwnProfile, sessionOf } from "./session";
import type { Container, MediaType, ThreadsState } from "./state";
import { assertText, assertTopic, withTopic } from "./text";

/** The number of polls that return IN_PROGRESS. */
const POLLS = { TEXT: 1, IMAGE: 1, CAROUSEL: 1, VIDEO: 3 };
const LIFETIME = 86_400_000;

type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedAs) return "PUBLISHED";
  if (now - container.createdAt > LIFETIME) return "EXPIRED";
  const isProcessed = !container.url || container.file || container.problem;
  if (container.polls <= POLLS[container.mediaType] || !isProcessed) return "IN_PROGRESS";
  return container.problem ? "ERROR" : "FINISHED";
}

/** `GET /{container}`: each poll advances the processing. Only the status of a container can be read. */
export async function presentContainer(state: ThreadsState, call: Call, container: Container): Promise<Response> {
  const polls = container.polls + 1;
  if (polls > POLLS[container.mediaType] && container.url && !container.file && !container.problem)
    await startProcessing(state, container);
  const current = state.containers.get(container.id) ?? container;
  const problem = current.problem ?? (hasFault(call, "processing_fails") ? "FAILED_PROCESSING_VIDEO" : undefined);
  const polled = state.containers.put(current.id, { ...current, polls, problem });
  const status = statusOf(polled, state.world.clock.now());
  const node = { id: polled.id, status, error_message: status === "ERROR" ? polled.problem : undefined };
  return call.json(pick(node, fieldsOf(call, ["id"]), "ThreadsMediaContainer"));
}

type Parameters = Record<string, string>;

/** `POST /{profile}/threads`. Source: Threads, publishing reference. */
export async function createContainer(state: ThreadsState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = sessionOf(state, call, p, "threads_content_publish");
  assertOwnProfile(call, session, "post");
  const mediaType = mediaTypeOf(p);
  const isCarouselItem = isTrue(p.is_carousel_item);
  assertFits(p, mediaType, isCarouselItem);
  assertText(p.text ?? "", p.link_attachment);
  if (p.topic_tag !== undefined) assertTopic(p.topic_tag);
  if (p.reply_to_id !== undefined && !state.media.get(p.reply_to_id)) throw errors.noObject(p.reply_to_id, "post");
  const children = listOf(p.children);
  if (mediaType === "CAROUSEL") assertChildren(state, session.account, children);

  const { text, topic } = withTopic(p.text ?? "", p.topic_tag);
  const container: Container = {
    id: state.world.ids.stamp("17"),
    account: session.account,
    mediaType,
    isCarouselItem,
    text,
    topic,
    linkAttachment: p.link_attachment,
    altText: p.alt_text,
    replyTo: p.reply_to_id,
    url: p.image_url ?? p.video_url,
    children,
    polls: 0,
    problem: hasFault(call, "processing_fails") ? "FAILED_PROCESSING_VIDEO" : undefined,
    createdAt: state.world.clock.now(),
  };
  state.containers.put(container.id, container);
  if (container.url) void startProcessing(state, container);
  return call.json({ id: container.id });
}

function mediaTypeOf({ media_type: given }: Parameters): MediaType {
  const types: MediaType[] = ["TEXT", "IMAGE", "VIDEO", "CAROUSEL"];
  const type = types.find((one) => one === given);
  if (!type) throw errors.parameter(`Param media_type must be one of {${types.join(", ")}} - got "${given ?? ""}".`);
  return type;
}

/** Checks that the parameters are allowed for the media type. */
function assertFits(p: Parameters, type: MediaType, isItem: boolean): void {
  if ((p.image_url !== undefined) !== (type === "IMAGE"))
    throw errors.parameter(`The parameter image_url does not fit media_type ${type}.`);
  if ((p.video_url !== undefined) !== (type === "VIDEO"))
    throw errors.parameter(`The parameter video_url does not fit media_type ${type}.`);
  if (type === "TEXT" && !p.text?.trim()) throw errors.parameter("The parameter text is required.");
  if (isItem && (type === "TEXT" || type === "CAROUSEL")) throw errors.parameter(`${type} cannot be a carousel item.`);
  if (isItem && p.reply_to_id !== undefined) throw errors.parameter("A carousel item cannot be a reply.");
  for (const name of ["link_attachment", "poll_attachment", "gif_attachment", "text_attachment", "is_ghost_post"]) {
    if (p[name] !== undefined && type !== "TEXT") throw errors.parameter(`${name} is only for media_type TEXT.`);
  }
  if (p.alt_text === undefined) return;
  if (type !== "IMAGE" && type !== "VIDEO") throw errors.parameter(`alt_text is not for media_type ${type}.`);
  if ([...p.alt_text].length > 1000) throw errors.parameter("Param alt_text must be at most 1000 characters long.");
}

/** Requires two to twenty finished, unused carousel items of the same account. */
function assertChildren(state: ThreadsState, account: string, ids: string[]): void {
  if (ids.length < 2 || ids.length > 20 || new Set(ids).size < ids.length)
    throw errors.parameter("A carousel takes 2 to 20 children.");
  for (const id of ids) {
    const child = state.containers.get(id);
    if (child?.account !== account) throw errors.notFound();
    if (!child.isCarouselItem) throw errors.parameter(`The media ${id} is not a carousel item.`);
    if (statusOf(child, state.world.clock.now()) !== "FINISHED") throw errors.notFound();
  }
}
