import { z } from "zod";
import type { Call } from "../core/network";
import { badValue, forbidden, LinkedInError } from "./errors";
import { jsonBody, noPermission, sessionOf } from "./request";
import type { LinkedInState } from "./state";

const MAX_TEXT = 1250;

const NewComment = z.strictObject({
  actor: z.string(),
  object: z.string(),
  message: z.strictObject({ text: z.string().min(1), attributes: z.array(z.unknown()).optional() }),
  parentComment: z.string().optional(),
});

/** `POST /rest/socialActions/{urn}/comments`. Source: learn.microsoft.com, comments API. */
export async function createComment(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "partnerApiSocialActions.CREATE-comments");
  const { actor, object, message } = await jsonBody(call, NewComment);
  const urn = urnOf(call);
  if (!session.authors.includes(actor)) throw forbidden("The member may not comment as this actor");
  if (object !== urn) throw badValue("/object must be the post in the path");
  const post = state.world.posts.list("linkedin").find(({ id }) => id === urn);
  if (!post) throw new LinkedInError(404, "NOT_FOUND", `Could not find entity ${urn}`);
  if (message.text.length > MAX_TEXT)
    throw badValue(`/message/text exceeds ${MAX_TEXT} characters`, "FIELD_LENGTH_TOO_LONG");
  const id = state.world.ids.unixSnowflake();
  const createdAt = state.world.clock.now();
  state.world.posts.add({
    id,
    network: "linkedin",
    account: session.account,
    text: message.text,
    media: [],
    replyTo: urn,
    settings: {},
    permalink: post.permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  const comment = {
    id,
    actor,
    object,
    message,
    commentUrn: `urn:li:comment:(${urn},${id})`,
    created: { actor, time: createdAt },
  };
  return call.json(comment, 201, { "x-restli-id": id });
}

/** Members' comments cannot be read without a permission that LinkedIn grants to few partners. */
export function readComments(state: LinkedInState, call: Call): Response {
  sessionOf(state, call, "partnerApiSocialActions.GET_ALL-comments");
  throw noPermission("partnerApiSocialActions.GET_ALL-comments");
}

/** The URN before `/comments`, which must be percent-encoded. */
function urnOf(call: Call): string {
  const part = new URL(call.req.url).pathname.split("/").at(-2) ?? "";
  if (part.includes(":")) throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "URNs in a path must be encoded");
  return decodeURIComponent(part);
}
