import * as z from "zod";
import { fetchMedia } from "../core/fetch-media";
import { inspectMedia, type MediaInfo } from "../core/media";
import { type Call, hasFault } from "../core/network";
import { fieldsOf, isTrue, listOf, parametersOf, pick } from "../meta/graph";
import { assertOwnProfile, errors, sessionOf } from "./request";
import type { Container, MediaType, ThreadsState } from "./state";

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
  const { hiddenReads = 0 } = current;
  const left = Math.max(0, hiddenReads - 1);
  const polled = state.containers.put(current.id, { ...current, polls, problem, hiddenReads: left });
  const status = hiddenReads > 0 ? "FINISHED" : statusOf(polled, state.world.clock.now());
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
  assertText(state, p.text ?? "", p.link_attachment);
  if (p.topic_tag !== undefined) assertTopic(p.topic_tag);
  const options = optionsOf(state, p, session.scopes);
  if (p.reply_to_id !== undefined && !canReplyTo(state, p.reply_to_id)) throw errors.noObject(p.reply_to_id, "post");
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
    options,
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

const REPLY_CONTROLS = [
  "everyone",
  "accounts_you_follow",
  "mentioned_only",
  "parent_post_author_only",
  "followers_only",
];

/** Checks who can reply, the quote, the poll and the location. Source: Threads, publishing reference and location tagging. */
function optionsOf(state: ThreadsState, p: Parameters, scopes: string[]): Record<string, unknown> {
  const { reply_control, quote_post_id, poll_attachment, link_attachment, location_id } = p;
  if (reply_control !== undefined && !REPLY_CONTROLS.includes(reply_control))
    throw errors.parameter(
      `Param reply_control must be one of {${REPLY_CONTROLS.join(", ")}} - got "${reply_control}".`,
    );
  if (quote_post_id !== undefined && !state.media.get(quote_post_id)) throw errors.noObject(quote_post_id, "post");
  if (poll_attachment !== undefined && link_attachment !== undefined)
    throw errors.parameter("poll_attachment is not compatible with link_attachment.");
  if (location_id !== undefined && !scopes.includes("threads_location_tagging"))
    throw errors.noPermission("threads_location_tagging");
  const poll = poll_attachment === undefined ? undefined : pollOf(poll_attachment);
  const given = { reply_control, quote_post_id, poll_attachment: poll, link_attachment, location_id };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const Option = z.string().min(1).max(25);
const Poll = z.strictObject({
  option_a: Option,
  option_b: Option,
  option_c: Option.optional(),
  option_d: Option.optional(),
});

function pollOf(json: string): z.output<typeof Poll> {
  try {
    const poll = Poll.parse(JSON.parse(json));
    if (poll.option_d !== undefined && poll.option_c === undefined) throw new Error("option_c is missing");
    return poll;
  } catch {
    throw errors.parameter("Param poll_attachment must have 2 to 4 options of 1 to 25 characters.");
  }
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

const MAX_LENGTH = 500;
const MAX_LINKS = 5;
/** Examples; the real list is not public. */
const DENIED_TOPICS = ["notpermitted", "forbidden"];

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Text length as Threads counts it: emoji by UTF-8 bytes, everything else by code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of segmenter.segment(text)) {
    const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{fe0f}|\u{20e3}/u.test(segment);
    length += isEmoji ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

/** Checks length and number of links. Source: Threads, overview and publishing. */
/** Whether a post is published, and long enough ago for replies. */
function canReplyTo({ media, switches, world }: ThreadsState, id: string): boolean {
  const post = media.get(id);
  return post !== undefined && world.clock.now() >= post.createdAt + switches.replyAfterSeconds * 1000;
}

function assertText({ switches }: ThreadsState, text: string, linkAttachment: string | undefined): void {
  if (lengthOf(text) > MAX_LENGTH) throw errors.tooLong();
  const links = [...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([link]) => link.replace(/[.,;:!?)\]}]+$/, ""));
  if (linkAttachment) links.push(linkAttachment);
  if (new Set(links).size > MAX_LINKS) throw errors.tooManyLinks(switches.linkLimitIn);
}

function assertTopic(topic: string): void {
  if (topic.length < 1 || [...topic].length > 50)
    throw errors.parameter("Param topic_tag must have 1 to 50 characters.");
  if (/[.&]/.test(topic)) throw errors.parameter("Param topic_tag must not contain periods or ampersands.");
  if (DENIED_TOPICS.includes(topic.replace(/^#/, "").toLowerCase())) throw errors.topic();
}

/** Without an explicit topic, the first hashtag of the text becomes the topic and loses its `#`. */
function withTopic(text: string, given: string | undefined): { text: string; topic?: string } {
  if (given !== undefined) return { text, topic: given };
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])#([^\s.&@!?,;:#]{1,50})/gu)) {
    const [tag, topic = ""] = match;
    if (/^\d+$/.test(topic)) continue;
    return { text: text.slice(0, match.index) + topic + text.slice(match.index + tag.length), topic };
  }
  return { text };
}

const MB = 1_048_576;

/** Fetches and checks a file once, even if called twice, and stores the result in the container. */
function startProcessing(state: ThreadsState, container: Container): Promise<void> {
  const running = state.processing.get(container.id) ?? fetchAndInspect(state, container);
  state.processing.set(container.id, running);
  return running;
}

async function fetchAndInspect(state: ThreadsState, { id, url = "", mediaType }: Container): Promise<void> {
  const isVideo = mediaType === "VIDEO";
  const result = await fetchMedia(url, (isVideo ? 1024 : 8) * MB)
    .then(async ({ bytes, contentType }) => {
      if (contentType.startsWith("text/")) return { problem: "FAILED_DOWNLOADING_VIDEO" };
      const info = await inspectMedia(bytes);
      const problem = isVideo ? videoProblem(info) : imageProblem(info);
      return { file: state.world.blobs.store(bytes, info.type), problem };
    })
    .catch(() => ({ problem: "FAILED_DOWNLOADING_VIDEO" }));
  state.processing.delete(id);
  const container = state.containers.get(id);
  if (container) state.containers.put(id, { ...container, ...result, problem: container.problem ?? result.problem });
}

/** The error message for an image, if any. Source: Threads, media specifications. */
function imageProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "image" || !["image/jpeg", "image/png"].includes(info.type)) return "UNKNOWN";
  const ratio = info.width / info.height;
  return ratio > 10 || ratio < 0.1 ? "INVALID_ASPEC_RATIO" : undefined;
}

function videoProblem(info: MediaInfo): string | undefined {
  if (info.kind !== "video" || !["video/mp4", "video/quicktime"].includes(info.type)) return "FAILED_PROCESSING_VIDEO";
  const { width, height, durationSeconds, codec, fps, isFastStart, sound } = info;
  const ratio = width / height;
  if (!["avc", "hevc"].includes(codec) || !isFastStart || width > 1920) return "FAILED_PROCESSING_VIDEO";
  if (sound && (sound.codec !== "aac" || sound.sampleRate > 48_000)) return "FAILED_PROCESSING_VIDEO";
  if (sound && sound.channels > 2) return "INVALID_AUDIO_CHANNELS";
  if (ratio > 10 || ratio < 0.01) return "INVALID_ASPEC_RATIO";
  if (!(durationSeconds > 0) || durationSeconds > 300) return "INVALID_DURATION";
  const rate = Math.round(fps * 100) / 100;
  return rate < 23 || rate > 60 ? "INVALID_FRAME_RATE" : undefined;
}
