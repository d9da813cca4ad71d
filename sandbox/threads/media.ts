import type { Call } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { assertOwnProfile, sessionOf } from "./session";
import type { Media, ThreadsState } from "./state";

function presentMedia(call: Call, media: Media, permalink: string | undefined): Record<string, unknown> {
  const node = {
    id: media.id,
    media_product_type: "THREADS",
    media_type: media.mediaType,
    text: media.text || undefined,
    permalink,
    shortcode: media.shortcode,
    // The Graph API writes the offset without a colon.
    timestamp: new Date(media.createdAt).toISOString().replace(/\.\d+Z$/, "+0000"),
    username: media.account,
    topic_tag: media.topic,
    is_reply: media.replyTo !== undefined,
    replied_to: media.replyTo && { id: media.replyTo },
    root_post: media.root && { id: media.root },
  };
  return pick(node, fieldsOf(call, ["id"]), "ThreadsMedia");
}

/** `GET /{media}`: the first answer may lack the permalink. */
export function mediaNode(state: ThreadsState, call: Call, media: Media): Response {
  state.media.put(media.id, { ...media, reads: media.reads + 1 });
  return call.json(presentMedia(call, media, media.reads === 0 ? undefined : media.permalink));
}

/** `GET /{profile}/threads` and `/replies`, newest first; neither lists what the other does. */
export function listMedia(state: ThreadsState, call: Call, which: "threads" | "replies"): Response {
  const query = call.req.query();
  const session = sessionOf(state, call, query);
  assertOwnProfile(call, session, "get");
  const limit = Math.min(Math.max(Number(query.limit ?? 25) || 25, 1), 100);
  const shown = state
    .mediaOf(session.account)
    .filter(({ replyTo }) => (replyTo !== undefined) === (which === "replies"))
    .slice(-limit)
    .reverse();
  return call.json({ data: shown.map((media) => presentMedia(call, media, media.permalink)) });
}
