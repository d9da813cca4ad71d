import { type Call, hasFault } from "../core/network";
import { fieldsOf, isTrue, listOf, parametersOf, pick } from "../meta/graph";
import { fetchImage, startProcessing } from "./media-files";
import { assertOwnAccount, errors, sessionOf } from "./request";
import type { Container, InstagramState, MediaType } from "./state";

/** The number of polls that return IN_PROGRESS, also for images. */
const POLLS = 2;
const LIFETIME = 86_400_000;

type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "ERROR" | "EXPIRED";

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedAs) return "PUBLISHED";
  if (now - container.createdAt > LIFETIME) return "EXPIRED";
  if (container.polls <= POLLS || (container.isVideo && !container.file && !container.problem)) return "IN_PROGRESS";
  return container.problem ? "ERROR" : "FINISHED";
}

/** `GET /{container}`: each poll advances the processing. */
export async function presentContainer(state: InstagramState, call: Call, container: Container): Promise<Response> {
  const fields = fieldsOf(call, ["id"]);
  if (container.polls >= POLLS && container.isVideo && !container.file && !container.problem)
    await startProcessing(state, container);
  const stored = state.containers.get(container.id) ?? container;
  const { hiddenReads = 0 } = stored;
  const current =
    hiddenReads > 0 ? state.containers.put(stored.id, { ...stored, hiddenReads: hiddenReads - 1 }) : stored;
  const faultProblem = hasFault(call, "processing_fails")
    ? "Error: Media upload has failed with error code 2207082"
    : undefined;
  const polled =
    current.polls > POLLS && !faultProblem
      ? current
      : state.containers.put(current.id, {
          ...current,
          polls: current.polls + 1,
          problem: current.problem ?? faultProblem,
        });
  const status_code = hiddenReads > 0 ? "FINISHED" : statusOf(polled, state.world.clock.now());
  const node = {
    id: polled.id,
    status_code,
    status: status_code === "ERROR" ? polled.problem : `${SENTENCES[status_code]}`,
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

type Parameters = Record<string, string>;
type ContainerInput = Pick<
  Container,
  "mediaType" | "isCarouselItem" | "caption" | "url" | "isVideo" | "children" | "settings" | "thumbOffset"
>;

/**
 * Parses and validates the parameters of a container. Source: Instagram Platform, IG User media.
 * @throws GraphError
 */
function parseContainer({ switches }: InstagramState, p: Parameters): ContainerInput {
  const isCarouselItem = isTrue(p.is_carousel_item);
  const mediaType = mediaTypeOf(p, isCarouselItem);
  const isVideo =
    mediaType === "VIDEO" || mediaType === "REELS" || (mediaType === "STORIES" && p.video_url !== undefined);
  assertSource(p, mediaType);
  assertTexts(p, mediaType, { isCarouselItem, ...switches });
  if (isCarouselItem && p.is_ai_generated !== undefined)
    throw errors.parameter("param is_ai_generated is not allowed on carousel items");
  if (mediaType === "STORIES" && p.is_ai_generated !== undefined && !switches.storiesTakeAiLabel)
    throw errors.parameter("param is_ai_generated is not allowed for STORIES");
  assertPeopleAndPlace(p, mediaType, isCarouselItem);
  if (p.share_to_feed !== undefined && mediaType !== "REELS")
    throw errors.parameter("param share_to_feed is only allowed for REELS");
  return {
    mediaType,
    isCarouselItem,
    isVideo,
    caption: mediaType === "STORIES" ? "" : (p.caption ?? ""),
    url: mediaType === "CAROUSEL" ? undefined : isVideo ? p.video_url : p.image_url,
    children: listOf(p.children),
    settings: settingsOf(p, mediaType),
    ...(p.thumb_offset === undefined ? {} : { thumbOffset: Number(p.thumb_offset) }),
  };
}

function mediaTypeOf(p: Parameters, isCarouselItem: boolean): MediaType {
  switch (p.media_type) {
    case undefined:
    case "IMAGE":
      if (p.image_url === undefined) throw errors.unknownMediaType("The parameter image_url is required.");
      return "IMAGE";
    case "VIDEO":
      if (!isCarouselItem) throw errors.unknownMediaType("VIDEO is no longer a media_type of single posts. Use REELS.");
      return "VIDEO";
    case "REELS":
    case "STORIES":
    case "CAROUSEL":
      if (isCarouselItem) throw errors.unknownMediaType(`${p.media_type} cannot be a carousel item.`);
      return p.media_type;
    default:
      throw errors.unknownMediaType(
        `Param media_type must be one of {IMAGE, VIDEO, REELS, STORIES, CAROUSEL} - got "${p.media_type}".`,
      );
  }
}

function assertSource(p: Parameters, mediaType: MediaType): void {
  const [hasImage, hasVideo] = [p.image_url !== undefined, p.video_url !== undefined];
  const isRight = {
    IMAGE: hasImage && !hasVideo,
    VIDEO: hasVideo && !hasImage,
    REELS: hasVideo && !hasImage,
    STORIES: hasImage !== hasVideo,
    CAROUSEL: !hasImage && !hasVideo,
  } satisfies Record<MediaType, boolean>;
  if (!isRight[mediaType])
    throw errors.parameter(`The parameters image_url and video_url do not fit media_type ${mediaType}.`);
}

type Rules = Pick<InstagramState["switches"], "captionUnit" | "storiesRefuseCaptions"> & { isCarouselItem: boolean };

function assertTexts(p: Parameters, mediaType: MediaType, rules: Rules): void {
  const caption = p.caption ?? "";
  if (rules.isCarouselItem && caption) throw errors.parameter("param caption is not allowed on carousel items");
  if (mediaType === "STORIES" && caption && rules.storiesRefuseCaptions)
    throw errors.parameter("param caption is not allowed for STORIES");
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu) ?? [];
  const mentions = caption.match(/(?<![\w@])@[\w.]+/g) ?? [];
  const length = rules.captionUnit === "code points" ? [...caption].length : caption.length;
  if (length > 2200 || hashtags.length > 30 || mentions.length > 20) throw errors.captionTooLong();
  if (p.alt_text === undefined) return;
  if (mediaType !== "IMAGE") throw errors.parameter(`param alt_text is not allowed for ${mediaType}`);
  if ([...p.alt_text].length > 1000) throw errors.parameter("param alt_text takes at most 1000 characters");
}

/**
 * Co-authors, tagged people, the location and the cover's frame. Source: Instagram Platform, IG User media; the answer to a name
 * with `@` as people report it (postiz-app #1966).
 */
function assertPeopleAndPlace(p: Parameters, mediaType: MediaType, isCarouselItem: boolean): void {
  const hasNone = isCarouselItem || mediaType === "STORIES";
  for (const name of ["collaborators", "location_id"]) {
    if (hasNone && p[name] !== undefined) throw errors.parameter(`param ${name} is not allowed`);
  }
  const collaborators = listOf(p.collaborators);
  if (collaborators.length > 3) throw errors.parameter("param collaborators takes at most 3 usernames");
  if (p.location_id !== undefined && !/^\d+$/.test(p.location_id)) throw errors.invalidLocation();
  const isVideo = mediaType === "REELS" || mediaType === "VIDEO";
  if (p.thumb_offset !== undefined && !(isVideo && /^\d+$/.test(p.thumb_offset)))
    throw errors.parameter("param thumb_offset must be milliseconds of a video");
  if (mediaType === "CAROUSEL" && p.user_tags !== undefined) throw errors.parameter("param user_tags is not allowed");
  const tags = tagsIn(p.user_tags);
  if (tags.length > 20) throw errors.tooManyTags();
  for (const [index, tag] of tags.entries()) {
    for (const side of ["x", "y"] as const) {
      const value = tag[side];
      const isMissing = value === undefined && mediaType === "IMAGE";
      if (isMissing || (value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1)))
        throw errors.parameter(`Param user_tags[${index}]['${side}'] must be a number less than or equal to 1`);
    }
  }
  const wrong = [...collaborators, ...tags.map(({ username }) => username)].filter((name) => !isUserName(name));
  if (wrong.length > 0) throw errors.invalidUsers(wrong);
}

function tagsIn(text = "[]"): { username?: unknown; x?: unknown; y?: unknown }[] {
  try {
    const tags: unknown = JSON.parse(text);
    if (Array.isArray(tags) && tags.every((tag) => typeof tag === "object" && tag !== null)) return tags;
  } catch {
    // Refused below, like every other text.
  }
  throw errors.parameter("Param user_tags must be an array of objects");
}

function isUserName(name: unknown): boolean {
  return typeof name === "string" && /^[\w.]{1,30}$/.test(name);
}

const KEPT = [
  "share_to_feed",
  "is_ai_generated",
  "alt_text",
  "cover_url",
  "thumb_offset",
  "audio_name",
  "collaborators",
  "location_id",
  "user_tags",
];

function settingsOf(p: Parameters, mediaType: MediaType): Record<string, unknown> {
  const kept = KEPT.flatMap((name) => {
    const value = p[name];
    return value === undefined
      ? []
      : [[name, ["share_to_feed", "is_ai_generated"].includes(name) ? isTrue(value) : value]];
  });
  return { media_type: mediaType, ...Object.fromEntries(kept) };
}

const CONTAINERS_PER_DAY = 400;

/** `POST /{ig-id}/media`: fetches and checks images at once, videos in the background. */
export async function createContainer(state: InstagramState, call: Call): Promise<Response> {
  const parameters = await parametersOf(call);
  const session = sessionOf(state, call, parameters, "instagram_business_content_publish");
  assertOwnAccount(call, session, "post");
  const now = state.world.clock.now();
  if (state.containersSince(session.account, now - 86_400_000) >= CONTAINERS_PER_DAY) throw errors.quotaUsed();

  const input = parseContainer(state, parameters);
  if (input.mediaType === "CAROUSEL") assertChildren(state, session.account, input.children);
  if (parameters.cover_url && input.isVideo) await fetchImage(parameters.cover_url, "any");
  const ratioMin = input.mediaType === "STORIES" ? "any" : state.switches.imageRatioMin;
  const image = input.url && !input.isVideo ? await fetchImage(input.url, ratioMin) : undefined;
  const container: Container = {
    ...input,
    id: state.world.ids.stamp("17"),
    account: session.account,
    polls: 0,
    file: image && state.world.blobs.store(image, "image/jpeg"),
    problem: hasFault(call, "processing_fails") ? "Error: Media upload has failed with error code 2207082" : undefined,
    createdAt: now,
  };
  state.addContainer(container);
  if (container.isVideo) void startProcessing(state, container);
  return call.json({ id: container.id });
}

/** Requires two to ten finished, unpublished carousel items of the same account. */
function assertChildren(state: InstagramState, account: string, ids: string[]): void {
  if (ids.length < 2 || ids.length > 10 || new Set(ids).size < ids.length) throw errors.carouselCount();
  for (const id of ids) {
    const child = state.containers.get(id);
    if (child?.account !== account) throw errors.containerUnknown();
    if (!child.isCarouselItem) throw errors.parameter(`The media ${id} is not a carousel item.`);
    const status = statusOf(child, state.world.clock.now());
    if (status === "IN_PROGRESS" || status === "ERROR") throw errors.notReady();
    if (status !== "FINISHED") throw errors.containerUnknown();
  }
}
