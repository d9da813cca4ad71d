import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Call } from "../core/network";
import { forbidden, invalidRequest, jsonBody, rateHeaders, sessionOf, tooManyRequests, type XSession } from "./request";
import type { XMedia, XPost, XState, XSwitches, XUrl } from "./state";
import { countCashtags, findUrls, hasForbiddenLetters, inNfc, weightedLength } from "./text";
import { mediaKey } from "./upload";

const Id = z.string().regex(/^[0-9]{1,19}$/);
const ReplySettings = z.enum(["following", "mentionedUsers", "subscribers", "verified"]);

/** `CreatePostsRequest` of the OpenAPI file: no further properties anywhere. */
const NewPost = z.strictObject({
  text: z.string().default(""),
  media: z
    .strictObject({
      media_ids: z.array(Id).min(1).max(4),
      tagged_user_ids: z.array(Id).max(10).optional(),
      call_to_actions: z.unknown().optional(),
      description: z.string().optional(),
      embeddable: z.boolean().optional(),
      preview_media_id: Id.optional(),
      title: z.string().optional(),
    })
    .optional(),
  reply: z
    .strictObject({
      in_reply_to_tweet_id: Id,
      exclude_reply_user_ids: z.array(z.string()).optional(),
      auto_populate_reply_metadata: z.boolean().optional(),
    })
    .optional(),
  poll: z
    .strictObject({
      options: z.array(z.string().min(1).max(25)).min(2).max(4),
      duration_minutes: z.int().min(5).max(10_080),
      reply_settings: ReplySettings.optional(),
    })
    .optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
  edit_options: z.strictObject({ previous_post_id: Id }).optional(),
  reply_settings: ReplySettings.optional(),
  quote_tweet_id: Id.optional(),
  community_id: Id.optional(),
  card_uri: z.string().optional(),
  direct_message_deep_link: z.string().optional(),
  for_super_followers_only: z.boolean().optional(),
  made_with_ai: z.boolean().optional(),
  nullcast: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
  share_with_followers: z.boolean().optional(),
});
type NewPost = z.infer<typeof NewPost>;

export const DUPLICATE = "You are not allowed to create a Tweet with duplicate content.";
const REPLY_REFUSED =
  "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.";

/** `POST /2/tweets`. Source: docs.x.com, create post. */
export async function createPost(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "createPost", ["tweet.read", "tweet.write", "users.read"]);
  const body = await jsonBody(call, NewPost);
  assertText(body, state.switches);
  const media = mediaOf(state, session, body.media?.media_ids ?? []);
  assertAlone(body);
  const quoted = quotedPost(state, body.quote_tweet_id);
  const parent = parentOf(state, session, body.reply?.in_reply_to_tweet_id);
  assertNotPostedBefore(state, session, body);
  assertBelowDailyCap(state, call, session);
  const post = state.world.transaction(() => storePost(state, session, body, media, { parent, quoted }));
  return call.json({ data: { id: post.id, text: post.text, edit_history_post_ids: [post.id] } }, 201);
}

/** Subscribers may post longer texts. Which subscriptions that includes is not documented; `Basic` is refused here. */
const LONGER_TEXTS: XSwitches["subscription"][] = ["Premium", "PremiumPlus"];

function assertText({ text, media, poll }: NewPost, switches: XSwitches): void {
  const isEmpty = switches.acceptsBlankTexts ? text === "" : text.trim() === "";
  if (isEmpty && !media && !poll) {
    throw invalidRequest("$.text: is missing but it is required when there is no media", { "$.text": [] });
  }
  if (hasForbiddenLetters(text)) throw invalidRequest("The Tweet contains invalid characters.", { "$.text": [] });
  if (lengthOf(text, switches) > (LONGER_TEXTS.includes(switches.subscription) ? 25_000 : 280))
    throw invalidRequest("Your Tweet text is too long. For more information, see the documentation.", { "$.text": [] });
  if (countCashtags(text) > 1) {
    const says = "A post may contain a maximum of one cashtag.";
    throw switches.cashtagStatus === 403 ? forbidden(says) : invalidRequest(says, { "$.text": [] });
  }
  // The rule's own answer was not reported. This is X's general refusal.
  if (switches.refusesMentions && /(?<!\w)@\w/.test(text)) throw forbidden(NOT_PERMITTED);
}

const NOT_PERMITTED = "You are not permitted to perform this action.";

function lengthOf(text: string, { subscription, weighsLongerTexts }: XSwitches): number {
  const isWeighed = weighsLongerTexts || !LONGER_TEXTS.includes(subscription);
  return isWeighed ? weightedLength(text) : [...inNfc(text)].length;
}

const DAY_SECONDS = 86_400;

/** The account's own limit of posts, with the headers that were reported for it. */
function assertBelowDailyCap(state: XState, call: Call, session: XSession): void {
  const now = state.world.clock.now();
  const recent = state.recentOf(session.account, now - DAY_SECONDS * 1000);
  const limit = state.switches.postsPerDay;
  if (recent.length < limit) return;
  const endsAt = (recent[0]?.createdAt ?? now) + DAY_SECONDS * 1000;
  rateHeaders(state, call, { limit, remaining: 0, resetAt: endsAt }, "x-user-limit-24hour");
  throw tooManyRequests();
}

/**
 * The media of a post, in order.
 * @throws XError unless all belong to the user, are processed and unexpired, and may be combined
 */
function mediaOf(state: XState, session: XSession, ids: string[]): XMedia[] {
  const now = state.world.clock.now();
  const media = ids.map((id) => state.media.get(id));
  const usable = media.filter(
    (m): m is XMedia => m?.account === session.account && m.state === "succeeded" && m.expiresAt > now,
  );
  const isSet = usable.length <= 1 || usable.every((m) => m.kind === "image");
  if (usable.length < ids.length || new Set(ids).size < ids.length || !isSet) {
    throw invalidRequest("Your media IDs are invalid.", { "media.media_ids": ids });
  }
  return usable;
}

/**
 * The post that is replied to.
 * @throws XError unless it is the user's own or mentions the user
 */
function parentOf(state: XState, session: XSession, id: string | undefined): XPost | undefined {
  if (id === undefined) return undefined;
  const parent = state.posts.get(id);
  const isMentioned = parent && new RegExp(`(?<!\\w)@${session.account}(?!\\w)`, "i").test(parent.sent);
  if (!parent || (parent.account !== session.account && !isMentioned)) throw forbidden(REPLY_REFUSED);
  return parent;
}

function assertNotPostedBefore(state: XState, session: XSession, { text, media }: NewPost): void {
  const since = state.world.clock.now() - state.switches.duplicateSeconds * 1000;
  const same = inNfc(text).trim();
  const hasSameMedia = (post: XPost) => isDeepStrictEqual(post.mediaIds, media?.media_ids ?? []);
  const isRepeated = state
    .recentOf(session.account, since)
    .filter((post) => state.switches.duplicatesIgnoreMedia || hasSameMedia(post))
    .some((post) => inNfc(post.sent).trim() === same);
  if (same !== "" && isRepeated) throw forbidden(DUPLICATE);
}

/** Media, a poll and a quote exclude each other. Source: the OpenAPI file until 2.150, which describes each of them so. */
function assertAlone({ media, poll, quote_tweet_id }: NewPost): void {
  const given = Object.entries({ media, poll, quote_tweet_id }).filter(([, value]) => value !== undefined);
  const [first, second] = given.map(([name]) => name);
  if (first && second) throw invalidRequest(`$.${first}: cannot be combined with ${second}`, { [`$.${first}`]: [] });
}

/** The post that is quoted. Only apps with an Enterprise plan may quote. Source: docs.x.com/changelog, 2026-04-20. */
function quotedPost(state: XState, id: string | undefined): XPost | undefined {
  if (id === undefined) return undefined;
  const quoted = state.posts.get(id);
  if (!state.switches.enterprise || !quoted)
    throw forbidden("Quoting this post is not allowed because you have not been mentioned by its author.");
  return quoted;
}

type Related = { parent?: XPost; quoted?: XPost };

function storePost(
  state: XState,
  session: XSession,
  body: NewPost,
  media: XMedia[],
  { parent, quoted }: Related,
): XPost {
  const id = state.world.ids.snowflake();
  const permalink = `https://x.com/${session.account}/status/${id}`;
  const page = `${permalink}/${media[0]?.kind === "image" ? "photo" : "video"}/1`;
  const createdAt = state.world.clock.now();
  const { text, media: _, reply: __, ...settings } = body;
  const attached = quoted
    ? { address: `https://x.com/${quoted.account}/status/${quoted.id}`, mediaKeys: [undefined] }
    : media.length > 0
      ? { address: page, mediaKeys: media.map(mediaKey) }
      : undefined;
  const altTexts = media.map((m) => m.altText ?? null);
  state.world.posts.add({
    id,
    network: "x",
    account: session.account,
    text,
    media: media.flatMap((m) => m.file ?? []),
    ...(parent ? { replyTo: parent.id } : {}),
    settings: { ...settings, ...(altTexts.some((alt) => alt !== null) ? { altTexts } : {}) },
    permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.addPost({
    id,
    account: session.account,
    authorId: session.userId,
    sent: text,
    ...withShortLinks(text, id, attached),
    mediaIds: media.map((m) => m.id),
    ...(parent ? { replyTo: parent.id } : {}),
    ...(quoted ? { quoted: quoted.id } : {}),
    conversationId: parent?.conversationId ?? id,
    createdAt,
  });
}

/** `DELETE /2/tweets/{id}`: deletes the user's own posts. */
export function deletePost(state: XState, call: Call): Response {
  const session = sessionOf(state, call, "deletePost", ["tweet.read", "tweet.write", "users.read"]);
  const post = state.posts.get(call.req.param("id") ?? "");
  if (post && post.account !== session.account) throw forbidden("You are not authorized to delete this Tweet.");
  if (post) {
    state.world.transaction(() => {
      state.removePost(post);
      state.world.posts.remove("x", post.id);
    });
  }
  return call.json({ data: { deleted: post !== undefined } });
}

/**
 * The text as X stores it: every URL becomes a `t.co` link, and attached media add one at the end, and so does a quoted post.
 * Positions are in code points.
 */
function withShortLinks(
  sent: string,
  id: string,
  photoPage?: { address: string; mediaKeys: (string | undefined)[] },
): { text: string; urls: XUrl[] } {
  const normal = inNfc(sent);
  const urls: XUrl[] = [];
  let text = "";
  let position = 0;
  for (const found of findUrls(normal)) {
    text += normal.slice(position, found.start);
    const expanded = /^https?:/i.test(found.url) ? found.url : `http://${found.url}`;
    urls.push(link(text, shortLink(id, found.start), expanded));
    text += urls.at(-1)?.url;
    position = found.end;
  }
  text += normal.slice(position);
  if (!photoPage) return { text, urls };
  const before = text ? `${text} ` : "";
  const short = shortLink(id, -1);
  for (const media_key of photoPage.mediaKeys)
    urls.push({ ...link(before, short, photoPage.address), ...(media_key ? { media_key } : {}) });
  return { text: before + short, urls };
}

function link(before: string, url: string, expanded: string): XUrl {
  const start = [...before].length;
  const display = expanded.replace(/^https?:\/\/(www\.)?/, "");
  return {
    start,
    end: start + url.length,
    url,
    expanded_url: expanded,
    display_url: display.length > 27 ? `${display.slice(0, 26)}…` : display,
  };
}

function shortLink(id: string, position: number): string {
  const slug = createHash("sha256")
    .update(`${id}/${position}`)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return `https://t.co/${slug.slice(0, 10)}`;
}
