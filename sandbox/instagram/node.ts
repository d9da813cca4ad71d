import { type Call, hasFault, type Operation } from "../core/network";
import { avatarPath } from "../core/users";
import { fieldsOf, paginate, pick } from "../meta/graph";
import { presentContainer } from "./containers";
import { POSTS_PER_DAY, postsOfToday } from "./publish";
import { assertOwnAccount, errors, type InstagramSession, isOwnAccount, sessionOf } from "./request";
import { appScopedId, type InstagramState, type Media, professionalId } from "./state";

/** `GET /{id}`: the account, a container or a published media object. */
export async function node(state: InstagramState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, call.req.query());
  const id = call.req.param("id") ?? "";
  if (isOwnAccount(id, session)) return presentUser(state, call, session);
  const container = state.containers.get(id);
  if (container?.account === session.account) return presentContainer(state, call, container);
  const media = state.media.get(id);
  // Media that were just published sometimes cannot be found yet.
  if (media?.account === session.account && !hasFault(call, "processing_fails"))
    return call.json(presentMedia(call, media));
  throw errors.noObject(id, "get");
}

/** Reads of containers and media count as `status`, of accounts as `profile`. */
export function nodeOperation(state: InstagramState, call: Call): Operation {
  const id = call.req.param("id") ?? "";
  return state.containers.get(id) || state.media.get(id) ? "status" : "profile";
}

function presentMedia(call: Call, media: Media): Record<string, unknown> {
  const cover = media.files[0];
  const node = {
    id: media.id,
    caption: media.caption || undefined,
    media_type: media.mediaType,
    media_product_type: media.productType,
    media_url: cover && new URL(`/_media/${cover.sha256}`, call.req.url).href,
    thumbnail_url: undefined,
    permalink: media.permalink,
    shortcode: media.shortcode,
    // The Graph API writes the offset without a colon.
    timestamp: new Date(media.createdAt).toISOString().replace(/\.\d+Z$/, "+0000"),
    username: media.account,
    owner: { id: professionalId(media.account) },
    children: media.children.length > 0 ? { data: media.children.map((id) => ({ id })) } : undefined,
    is_ai_generated: media.settings.is_ai_generated === true,
    is_shared_to_feed: media.productType === "REELS" ? media.settings.share_to_feed !== false : undefined,
    alt_text: media.settings.alt_text,
    like_count: 0,
    comments_count: 0,
    is_comment_enabled: true,
  };
  return pick(node, fieldsOf(call, ["id"]), "IGMedia");
}

/** `GET /{ig-id}/media` and `/stories`, newest first. */
export function listMedia(state: InstagramState, call: Call, which: "feed" | "stories"): Response {
  const query = call.req.query();
  const session = sessionOf(state, call, query);
  assertOwnAccount(call, session, "get");
  const storiesFrom = state.world.clock.now() - 86_400_000;
  const own = state
    .mediaOf(session.account)
    .filter((media) => (media.productType === "STORY") === (which === "stories"))
    .filter((media) => which === "feed" || media.createdAt > storiesFrom)
    .reverse();
  return paginate(call, own, (media) => presentMedia(call, media), { hidden: state.switches.hiddenPerPage });
}

/** `GET /{ig-id}/content_publishing_limit`. */
export function publishingLimit(state: InstagramState, call: Call): Response {
  const session = sessionOf(state, call, call.req.query(), "instagram_business_content_publish");
  assertOwnAccount(call, session, "get");
  const node = {
    quota_usage: postsOfToday(state, session.account, Number(call.req.query("since") ?? 0)),
    config: { quota_total: POSTS_PER_DAY, quota_duration: 86_400 },
  };
  const fields = fieldsOf(call, ["quota_usage"]).filter((field) => field !== "id");
  return call.json({ data: [pick(node, fields, "ContentPublishingLimit")] });
}

/** `GET /me` or `/{ig-id}`. Source: Instagram Login, get started. */
function presentUser(state: InstagramState, call: Call, session: InstagramSession): Response {
  const person = state.world.users.findOrCreate("instagram", session.account);
  const user = {
    id: appScopedId(person.name),
    user_id: professionalId(person.name),
    username: person.name,
    name: person.displayName,
    account_type: "Business",
    profile_picture_url: new URL(avatarPath("instagram", person.name, ""), call.req.url).href,
    biography: "",
    website: "",
    followers_count: 0,
    follows_count: 0,
    media_count: state.mediaOf(session.account).length,
  };
  return call.json(pick(user, fieldsOf(call, ["id"]), "IGUser"));
}
