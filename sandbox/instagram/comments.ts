import type { Call } from "../core/network";
import { fieldsOf, parametersOf, pick } from "../meta/graph";
import { errors } from "./errors";
import { type InstagramSession, sessionOf } from "./session";
import type { InstagramState, Media } from "./state";

const SCOPE = "instagram_business_manage_comments";
const TEXT_MAX = 2200;

/** `POST /{media}/comments`. Source: Instagram Platform, IG Media, comments. */
export async function createComment(state: InstagramState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = sessionOf(state, call, p, SCOPE);
  const media = ownMedia(state, call, session, "post");
  const { message = "" } = p;
  if (message.trim() === "") throw errors.parameter("The parameter message is required.");
  if (message.length > TEXT_MAX) throw errors.parameter("message is too long");
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
  const session = sessionOf(state, call, call.req.query(), SCOPE);
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
