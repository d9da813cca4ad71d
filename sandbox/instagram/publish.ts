import type { Call } from "../core/network";
import { fieldsOf, parametersOf, pick } from "../meta/graph";
import { statusOf } from "./containers";
import { assertOwnAccount, errors, type InstagramSession, sessionOf } from "./request";
import type { Container, InstagramState, Media } from "./state";

/** The guide states 100, the reference 50. Clients should read `content_publishing_limit`. */
export const POSTS_PER_DAY = 100;

/** `POST /{ig-id}/media_publish`: publishes a finished container once. */
export async function publish(state: InstagramState, call: Call): Promise<Response> {
  const parameters = await parametersOf(call);
  const session = sessionOf(state, call, parameters, "instagram_business_content_publish");
  assertOwnAccount(call, session, "post");
  if (!parameters.creation_id) throw errors.parameter("The parameter creation_id is required.");
  const container = state.containers.get(parameters.creation_id);
  if (container?.account !== session.account || container.isCarouselItem) throw errors.containerUnknown();
  const status = statusOf(container, state.world.clock.now());
  if (container.publishedAs && state.switches.publishedAgain === "id") return call.json({ id: container.publishedAs });
  if (status === "EXPIRED") throw errors.containerUnknown();
  if (status !== "FINISHED") throw errors.notReady();
  if (container.children.some((id) => state.containers.get(id)?.publishedAs)) throw errors.containerUnknown();
  if (postsOfToday(state, session.account) >= POSTS_PER_DAY) throw errors.quotaUsed();
  const media = state.world.transaction(() => storeMedia(state, container));
  return call.json({ id: media.id });
}

/** The number of posts in the last 24 hours, as reported by `content_publishing_limit`. */
export function postsOfToday(state: InstagramState, account: string, since = 0): number {
  const from = Math.max(state.world.clock.now() - 86_400_000, since * 1000);
  const own = state.mediaOf(account);
  return own.length - 1 - own.findLastIndex((media) => media.createdAt < from);
}

function storeMedia(state: InstagramState, container: Container): Media {
  const children = container.children.flatMap((id) => state.containers.get(id) ?? []);
  const items = container.mediaType === "CAROUSEL" ? children : [container];
  const id = state.world.ids.stamp("18");
  const shortcode = shortcodeOf(id);
  const productType = container.mediaType === "REELS" ? "REELS" : container.mediaType === "STORIES" ? "STORY" : "FEED";
  const createdAt = state.world.clock.now();
  const media: Media = {
    id,
    account: container.account,
    container: container.id,
    caption: container.caption,
    mediaType: container.mediaType === "CAROUSEL" ? "CAROUSEL_ALBUM" : container.isVideo ? "VIDEO" : "IMAGE",
    productType,
    shortcode,
    permalink: permalinkOf(container.account, productType, id, shortcode),
    files: items.flatMap((item) => item.file ?? []),
    children: children.map(() => state.world.ids.stamp("18")),
    settings: container.settings,
    createdAt,
  };
  const hiddenReads = state.switches.publishedShowsAfterReads;
  for (const spent of [container, ...children])
    state.containers.put(spent.id, { ...spent, publishedAs: id, hiddenReads });
  const each = (name: string) => children.map((child) => child.settings[name] ?? null);
  const [altTexts, userTags] = [each("alt_text"), each("user_tags")];
  state.world.posts.add({
    id,
    network: "instagram",
    account: media.account,
    text: media.caption,
    media: media.files,
    settings: {
      ...media.settings,
      media_product_type: productType,
      ...(altTexts.some(Boolean) ? { alt_texts: altTexts } : {}),
      ...(userTags.some(Boolean) ? { user_tags: userTags } : {}),
    },
    permalink: media.permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.addMedia(media);
}

function permalinkOf(account: string, productType: Media["productType"], id: string, shortcode: string): string {
  if (productType === "STORY") return `https://www.instagram.com/stories/${account}/${id}/`;
  return `https://www.instagram.com/${productType === "REELS" ? "reel" : "p"}/${shortcode}/`;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The shortcode of an id: base 64 with Instagram's alphabet. */
function shortcodeOf(id: string): string {
  let rest = BigInt(id);
  let code = "";
  for (; rest > 0n; rest >>= 6n) code = ALPHABET.charAt(Number(rest & 63n)) + code;
  return code;
}

const COMMENT_SCOPE = "instagram_business_manage_comments";

/** `POST /{media}/comments`. Source: Instagram Platform, IG Media, comments. */
export async function createComment(state: InstagramState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = sessionOf(state, call, p, COMMENT_SCOPE);
  const media = ownMedia(state, call, session, "post");
  const { message = "" } = p;
  if (message.trim() === "") throw errors.parameter("The parameter message is required.");
  if (message.length > state.switches.commentMax) throw errors.parameter("message is too long");
  const id = state.world.ids.stamp("17");
  state.world.posts.add({
    id,
    network: "instagram",
    account: session.account,
    text: message,
    media: [],
    replyTo: media.id,
    settings: {},
    permalink: media.permalink,
    receivedTime: new Date(state.world.clock.now()).toISOString(),
  });
  return call.json({ id });
}

/** `GET /{media}/comments`, newest first. */
export function listComments(state: InstagramState, call: Call): Response {
  const session = sessionOf(state, call, call.req.query(), COMMENT_SCOPE);
  const media = ownMedia(state, call, session, "get");
  const comments = state.world.posts.list("instagram").filter(({ replyTo }) => replyTo === media.id);
  const data = comments.reverse().map(({ id, text, account, receivedTime }) => {
    const timestamp = receivedTime.replace(/\.\d+Z$/, "+0000");
    return pick({ id, text, timestamp, username: account }, fieldsOf(call, ["id", "text", "timestamp"]), "IGComment");
  });
  return call.json({ data });
}

function ownMedia(state: InstagramState, call: Call, session: InstagramSession, verb: "get" | "post"): Media {
  const id = call.req.param("id") ?? "";
  const media = state.media.get(id);
  // Stories have no comments.
  if (media?.account !== session.account || media.productType === "STORY") throw errors.noObject(id, verb);
  return media;
}
