import { type Call, hasFault, type Operation } from "../core/network";
import { presentContainer } from "./container";
import { refusals } from "./errors";
import { presentMedia } from "./media";
import { isOwnAccount, sessionOf } from "./session";
import type { InstagramState } from "./state";
import { presentUser } from "./user";

/** `GET /{id}`: the account, a container or a published medium. */
export async function node(state: InstagramState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, call.req.query());
  const id = call.req.param("id") ?? "";
  if (isOwnAccount(id, session)) return presentUser(state, call, session);
  const container = state.containers.get(id);
  if (container?.account === session.account) return presentContainer(state, call, container);
  const media = state.media.get(id);
  // A medium that has just been published cannot be found at times.
  if (media?.account === session.account && !hasFault(call, "processing_fails"))
    return call.json(presentMedia(call, media));
  throw refusals.noObject(id, "get");
}

/** Ids of containers and media tell themselves from those of accounts. */
export function nodeOperation(state: InstagramState, call: Call): Operation {
  const id = call.req.param("id") ?? "";
  return state.containers.get(id) || state.media.get(id) ? "status" : "profile";
}
