import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { ok, refusals } from "./errors";
import { sessionOf } from "./session";
import { openId, type TikTokState, unionId } from "./state";

const FIELDS: Record<string, string> = {
  open_id: "user.info.basic",
  union_id: "user.info.basic",
  avatar_url: "user.info.basic",
  avatar_url_100: "user.info.basic",
  avatar_large_url: "user.info.basic",
  display_name: "user.info.basic",
  username: "user.info.profile",
  bio_description: "user.info.profile",
  profile_deep_link: "user.info.profile",
  profile_web_link: "user.info.profile",
  is_verified: "user.info.profile",
};

/** `GET /v2/user/info/`: the fields that are named, each within its scope. */
export function userInfo(state: TikTokState, call: Call): Response {
  const session = sessionOf(state, call, "profile", "user.info.basic");
  const fields = (call.req.query("fields") ?? "").split(",").filter(Boolean);
  if (fields.length === 0) throw refusals.invalid("The parameter fields is required.");
  for (const field of fields) {
    const scope = FIELDS[field];
    if (!scope) throw refusals.invalid(`The field ${field} does not exist.`);
    if (!session.scopes.includes(scope)) throw refusals.noScope(scope);
  }
  const person = state.world.people.meet("tiktok", session.account);
  const avatar = new URL(avatarPath("tiktok", person.name, ""), call.req.url).href;
  const user: Record<string, unknown> = {
    open_id: openId(person.name),
    union_id: unionId(person.name),
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: person.displayName,
    username: person.name,
    bio_description: "",
    profile_deep_link: `https://vm.tiktok.com/${person.name}/`,
    profile_web_link: `https://www.tiktok.com/@${person.name}`,
    is_verified: false,
  };
  return ok(call, { user: Object.fromEntries(fields.map((field) => [field, user[field]])) });
}
