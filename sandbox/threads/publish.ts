import type { Call } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { statusOf } from "./container";
import { refusals } from "./errors";
import { usedToday } from "./quota";
import { assertOwnProfile, sessionOf } from "./session";
import type { Container, Media, ThreadsState } from "./state";

/** `POST /{profile}/threads_publish`: a container once. */
export async function publish(state: ThreadsState, call: Call): Promise<Response> {
  const parameters = await parametersOf(call);
  const session = sessionOf(state, call, parameters, "threads_content_publish");
  assertOwnProfile(call, session, "post");
  if (!parameters.creation_id) throw refusals.parameter("The parameter creation_id is required.");
  const container = state.containers.get(parameters.creation_id);
  if (container?.account !== session.account || container.isCarouselItem) throw refusals.notFound();
  if (statusOf(container, state.world.clock.now()) !== "FINISHED") throw refusals.notFound();
  if (container.children.some((id) => state.containers.get(id)?.publishedAs)) throw refusals.notFound();
  const { used, total } = usedToday(state, session.account, container.replyTo ? "reply" : "post");
  if (used >= total) throw refusals.quotaUsed();
  return call.json({ id: state.world.together(() => keep(state, container)).id });
}

const KINDS = { TEXT: "TEXT_POST", IMAGE: "IMAGE", VIDEO: "VIDEO", CAROUSEL: "CAROUSEL_ALBUM" } as const;

function keep(state: ThreadsState, container: Container): Media {
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
  for (const spent of [container, ...children]) state.containers.put(spent.id, { ...spent, publishedAs: id });
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
      ...(altTexts.some(Boolean) ? { altTexts } : {}),
    },
    permalink: media.permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.keepNewMedia(media);
}
