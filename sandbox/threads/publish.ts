import type { Call } from "../core/network";
import { fieldsOf, parametersOf, pick } from "../meta/graph";
import { statusOf } from "./containers";
import { assertOwnProfile, errors, sessionOf } from "./request";
import type { Container, Media, ThreadsState } from "./state";

const DAY_MS = 86_400_000;
const REPLIES_PER_DAY = 1000;

/** The number of posts or replies in the last 24 hours, and the limit. Replies are counted separately. */
function usedToday(state: ThreadsState, account: string, kind: "post" | "reply") {
  const from = state.world.clock.now() - DAY_MS;
  const counted = state
    .mediaOf(account)
    .filter(({ createdAt, replyTo }) => createdAt > from && (replyTo !== undefined) === (kind === "reply"));
  return { used: counted.length, total: kind === "reply" ? REPLIES_PER_DAY : state.switches.postsPerDay };
}

/** `GET /{profile}/threads_publishing_limit`. */
export function publishingLimit(state: ThreadsState, call: Call): Response {
  const session = sessionOf(state, call, call.req.query(), "threads_content_publish");
  assertOwnProfile(call, session, "get");
  if (!state.switches.quotaReadable) throw errors.internal();
  const [posts, replies] = [usedToday(state, session.account, "post"), usedToday(state, session.account, "reply")];
  const node = {
    quota_usage: posts.used,
    config: { quota_total: posts.total, quota_duration: 86_400 },
    reply_quota_usage: replies.used,
    reply_config: { quota_total: replies.total, quota_duration: 86_400 },
    delete_quota_usage: 0,
    delete_config: { quota_total: 100, quota_duration: 86_400 },
  };
  const fields = fieldsOf(call, ["quota_usage"]).filter((field) => field !== "id");
  return call.json({ data: [pick(node, fields, "ThreadsPublishingLimit")] });
}

/** `POST /{profile}/threads_publish`: publishes a finished container once. */
export async function publish(state: ThreadsState, call: Call): Promise<Response> {
  const parameters = await parametersOf(call);
  const session = sessionOf(state, call, parameters, "threads_content_publish");
  assertOwnProfile(call, session, "post");
  if (!parameters.creation_id) throw errors.parameter("The parameter creation_id is required.");
  const container = state.containers.get(parameters.creation_id);
  if (container?.account !== session.account || container.isCarouselItem) throw errors.notFound();
  if (statusOf(container, state.world.clock.now()) !== "FINISHED") throw errors.notFound();
  if (container.children.some((id) => state.containers.get(id)?.publishedAs)) throw errors.notFound();
  const { used, total } = usedToday(state, session.account, container.replyTo ? "reply" : "post");
  if (used >= total) throw errors.quotaUsed(state.switches.quotaCode);
  return call.json({ id: state.world.transaction(() => storeMedia(state, container)).id });
}

const KINDS = { TEXT: "TEXT_POST", IMAGE: "IMAGE", VIDEO: "VIDEO", CAROUSEL: "CAROUSEL_ALBUM" } as const;

function storeMedia(state: ThreadsState, container: Container): Media {
  const children = container.children.flatMap((id) => state.containers.get(id) ?? []);
  const items = container.mediaType === "CAROUSEL" ? children : [container];
  const id = state.world.ids.stamp("18");
  const shortcode = BigInt(id).toString(36);
  const altTexts = items.map(({ altText }) => altText ?? null);
  const parent = container.replyTo ? state.media.get(container.replyTo) : undefined;
  const { account, text, topic, replyTo } = container;
  const createdAt = state.world.clock.now();
  const media: Media = {
    id,
    account,
    text,
    mediaType: KINDS[container.mediaType],
    topic,
    replyTo,
    root: parent && (parent.root ?? parent.id),
    shortcode,
    permalink: `https://www.threads.com/@${account}/post/${shortcode}`,
    files: items.flatMap((item) => item.file ?? []),
    reads: 0,
    createdAt,
  };
  const hiddenReads = state.switches.publishedShowsAfterReads;
  for (const spent of [container, ...children])
    state.containers.put(spent.id, { ...spent, publishedAs: id, hiddenReads });
  state.world.posts.add({
    id,
    network: "threads",
    account,
    text,
    media: media.files,
    ...(replyTo ? { replyTo } : {}),
    settings: {
      media_type: media.mediaType,
      ...(topic ? { topic_tag: topic } : {}),
      ...container.options,
      ...(altTexts.some(Boolean) ? { altTexts } : {}),
    },
    permalink: media.permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.addMedia(media);
}
