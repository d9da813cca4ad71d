import type { Call } from "../core/network";
import type { Post } from "../core/posts";
import { fieldsOf, parametersOf, pick } from "../meta/graph";
import { errors } from "./errors";
import { pageOf } from "./session";
import type { FacebookState } from "./state";

const TEXT_MAX = 8000;

/** `POST /{object}/comments` with a Page's token. Source: Graph API, object comments. */
export async function createComment(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const { page, account, scopes } = pageOf(state, call, p, pageOfObject(state, call, "post"));
  if (!scopes.includes("pages_manage_engagement")) throw errors.noPermission("pages_manage_engagement");
  const { message = "" } = p;
  if (message.trim() === "") throw errors.parameter("At least one of message, attachment_id is required.");
  if (message.length > TEXT_MAX) throw errors.parameter("message is too long");
  const object = call.req.param("id") ?? "";
  const own = state.world.ids.stamp("12");
  const id = `${object.split("_").at(-1)}_${own}`;
  state.world.posts.add({
    id,
    network: "facebook",
    account,
    text: message,
    media: [],
    chatId: page.id,
    replyTo: object,
    settings: {},
    permalink: `https://www.facebook.com/${page.id}/posts/${object.split("_").at(-1)}?comment_id=${own}`,
    receivedTime: new Date(state.world.clock.now()).toISOString(),
  });
  return call.json({ id });
}

/** `GET /{object}/comments?order=reverse_chronological`. */
export function listComments(state: FacebookState, call: Call): Response {
  const query = call.req.query();
  const session = pageOf(state, call, query, pageOfObject(state, call, "get"));
  const object = call.req.param("id");
  const comments = state.world.posts.list("facebook").filter(({ replyTo }) => replyTo === object);
  if (query.order === "reverse_chronological") comments.reverse();
  return call.json({ data: comments.map((one) => presentComment(call, one, session.page)) });
}

/** `GET /{comment}`; undefined if there is no comment with this id. */
export function comment(state: FacebookState, id: string): Post | undefined {
  return state.world.posts.list("facebook").find((one) => one.id === id && one.replyTo !== undefined);
}

export function presentComment(
  call: Call,
  { id, text, permalink, receivedTime }: Post,
  from: { id: string; name: string },
): Record<string, unknown> {
  const node = {
    id,
    message: text,
    created_time: receivedTime.replace(/\.\d+Z$/, "+0000"),
    from: { id: from.id, name: from.name },
    permalink_url: permalink,
  };
  return pick(node, fieldsOf(call, ["id", "message", "created_time", "from"]), "Comment");
}

/** The Page of a post or a video. Stories have no comments. */
function pageOfObject(state: FacebookState, call: Call, verb: "get" | "post"): string {
  const id = call.req.param("id") ?? "";
  const object = state.posts.get(id) ?? state.videos.get(id);
  if (!object || object.kind === "story") throw errors.noObject(id, verb);
  return object.page;
}
