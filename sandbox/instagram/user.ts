import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { fieldsOf, pick } from "./fields";
import type { InstagramSession } from "./session";
import { appScopedId, type InstagramState, professionalId } from "./state";

/** `GET /me` or `/{ig-id}`; source: Instagram Login, get started. */
export function presentUser(state: InstagramState, call: Call, session: InstagramSession): Response {
  const person = state.world.people.meet("instagram", session.account);
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
