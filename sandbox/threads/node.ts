import { avatarPath } from "../core/avatars";
import type { Call, Operation } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { presentContainer } from "./container";
import { refusals } from "./errors";
import { mediaNode } from "./media";
import { isOwnProfile, sessionOf, type ThreadsSession } from "./session";
import { type ThreadsState, userId } from "./state";

/** `GET /{id}`: the profile, a container or a published medium. */
export async function node(state: ThreadsState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, call.req.query());
  const id = call.req.param("id") ?? "";
  if (isOwnProfile(id, session)) return presentProfile(state, call, session);
  const container = state.containers.get(id);
  if (container?.account === session.account) return presentContainer(state, call, container);
  const media = state.media.get(id);
  if (media) return mediaNode(state, call, media);
  throw refusals.noObject(id, "get");
}

/** Ids of containers and media tell themselves from those of profiles. */
export function nodeOperation(state: ThreadsState, call: Call): Operation {
  const id = call.req.param("id") ?? "";
  return state.containers.get(id) || state.media.get(id) ? "status" : "profile";
}

function presentProfile(state: ThreadsState, call: Call, session: ThreadsSession): Response {
  const person = state.world.people.meet("threads", session.account);
  const user = {
    id: userId(person.name),
    username: person.name,
    name: person.displayName,
    is_verified: false,
    threads_profile_picture_url: new URL(avatarPath("threads", person.name, ""), call.req.url).href,
    threads_biography: "",
  };
  return call.json(pick(user, fieldsOf(call, ["id"]), "ThreadsUser"));
}
