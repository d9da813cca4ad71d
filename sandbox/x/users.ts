import type { Call } from "../core/network";
import { avatarPath } from "../core/users";
import { invalidRequest, sessionOf } from "./request";
import type { XPost, XState, XUrl } from "./state";
import { weightedLength } from "./text";
import { mediaKey } from "./upload";

const USER_DEFAULTS = ["id", "name", "username"];

/** `GET /2/users/me`. Source: docs.x.com, authenticated user lookup. */
export function me(state: XState, call: Call): Response {
  const session = sessionOf(state, call, "me", ["tweet.read", "users.read"]);
  const person = state.world.users.findOrCreate("x", session.account);
  const user: Record<string, unknown> = {
    id: session.userId,
    name: person.displayName,
    username: person.name,
    profile_image_url: new URL(avatarPath("x", person.name), call.req.url).href,
    subscription_type: state.switches.subscription,
    verified_type: "none",
    verified: false,
    protected: false,
    description: "",
    created_at: "2020-01-01T00:00:00.000Z",
  };
  const requested = (call.req.query("user.fields") ?? "").split(",").filter(Boolean);
  const unknown = requested.find((field) => !Object.hasOwn(user, field));
  if (unknown)
    throw invalidRequest(
      `The \`user.fields\` query parameter value [${unknown}] is not one of [${Object.keys(user).join(",")}]`,
      { "user.fields": [unknown] },
    );
  return call.json({ data: Object.fromEntries([...USER_DEFAULTS, ...requested].map((field) => [field, user[field]])) });
}

const DEFAULTS = ["id", "text"];

/** `GET /2/users/{id}/tweets`, newest first. Accepts `tweet.fields` and `post.fields`, or one of them. */
export function timeline(state: XState, call: Call): Response {
  sessionOf(state, call, "timeline", ["tweet.read", "users.read"]);
  const query = call.req.query();
  const count = Number(query.max_results ?? 10);
  if (!Number.isInteger(count) || count < 5 || count > 100) {
    throw invalidRequest(`The \`max_results\` query parameter value [${query.max_results}] is not between 5 and 100`, {
      max_results: [query.max_results ?? ""],
    });
  }
  const { fieldLists } = state.switches;
  const refused = ["post.fields", "tweet.fields"].find(
    (name) => fieldLists !== "both" && name !== fieldLists && query[name],
  );
  if (refused) {
    throw invalidRequest(`The query parameter [${refused}] is not one of [${fieldLists}]`, {
      [refused]: [query[refused] ?? ""],
    });
  }
  const from = instant(query, "start_time") ?? 0;
  const to = instant(query, "end_time") ?? Number.POSITIVE_INFINITY;
  const isExcluded = (post: XPost) =>
    post.replyTo !== undefined && (query.exclude ?? "").split(",").includes("replies");
  const matches = state
    .postsBy(call.req.param("id") ?? "")
    .filter((post) => post.createdAt >= from && post.createdAt < to && !isExcluded(post))
    .filter((post) => !query.since_id || BigInt(post.id) > BigInt(query.since_id))
    .filter((post) => !query.until_id || BigInt(post.id) < BigInt(query.until_id))
    .filter((post) => !query.pagination_token || BigInt(post.id) < BigInt(`0x${query.pagination_token}`))
    .reverse();
  const shown = matches.slice(0, Math.max(1, count - state.switches.repostsPerPage));
  const newest = shown[0];
  const oldest = shown.at(-1);
  if (!newest || !oldest) return call.json({ meta: { result_count: 0 } });
  const next = matches.length > shown.length ? { next_token: BigInt(oldest.id).toString(16) } : {};
  const usesNewNames = query["post.fields"] !== undefined;
  const fields = [...DEFAULTS, ...(query["post.fields"] ?? query["tweet.fields"] ?? "").split(",")];
  if (usesNewNames && fields.includes("referenced_posts")) {
    throw invalidRequest("The `post.fields` query parameter value [referenced_posts] is not one of its values", {
      "post.fields": [query["post.fields"] ?? ""],
    });
  }
  if (usesNewNames) fields.push(...(query.expansions ?? "").split(","));
  return call.json({
    data: shown.map((post) => present(state, post, fields, usesNewNames)),
    meta: { result_count: shown.length, newest_id: newest.id, oldest_id: oldest.id, ...next },
  });
}

function instant(query: Record<string, string>, name: string): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value))) {
    throw invalidRequest(`Invalid '${name}':'${value}'. Expected RFC 3339.`, { [name]: [value] });
  }
  return Date.parse(value);
}

const SHORT_LENGTH = 270;

/**
 * The text of a post and its links. That of a subscriber's long post is cut, and its note has all of it but the link that X
 * appends. Sources: the OpenAPI file, `note_post`, earlier `note_tweet`; github.com/xdevplatform/samples/issues/202.
 */
function textOf({ sent, text, urls, mediaIds, quoted }: XPost): Record<string, unknown> {
  if (weightedLength(sent) <= 280) return { text, entities: entitiesOf(urls) };
  const hasOwnLink = mediaIds.length > 0 || quoted !== undefined;
  const whole = hasOwnLink ? text.slice(0, text.lastIndexOf(" ")) : text;
  const part = (length: number) => ({
    text: [...text].slice(0, length).join(""),
    entities: entitiesOf(urls.filter(({ end }) => end <= length)),
  });
  const note = part([...whole].length);
  return { ...part(SHORT_LENGTH), note_post: note, note_tweet: note };
}

const entitiesOf = (urls: XUrl[]) => (urls.length > 0 ? { urls } : undefined);

function present(state: XState, post: XPost, fields: string[], usesNewNames: boolean) {
  const mediaKeys = post.mediaIds.flatMap((id) => state.media.get(id) ?? []).map(mediaKey);
  const parts: Record<string, unknown> = {
    id: post.id,
    ...textOf(post),
    author_id: post.authorId,
    conversation_id: post.conversationId,
    created_at: new Date(post.createdAt).toISOString(),
    attachments: mediaKeys.length > 0 ? { media_keys: mediaKeys } : undefined,
    in_reply_to_user_id: post.replyTo ? post.authorId : undefined,
  };
  const references = [
    ...(post.replyTo ? [{ type: "replied_to", id: post.replyTo }] : []),
    ...(post.quoted ? [{ type: "quoted", id: post.quoted }] : []),
  ];
  const referenced = references.length > 0 ? references : undefined;
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([name]) => fields.includes(name))),
    ...(usesNewNames ? { edit_history_post_ids: [post.id] } : { edit_history_tweet_ids: [post.id] }),
    ...(fields.includes("referenced_tweets") ? { referenced_tweets: referenced } : {}),
    ...(usesNewNames && fields.includes("referenced_posts") ? { referenced_posts: referenced } : {}),
  };
}
