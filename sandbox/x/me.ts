import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { invalidRequest } from "./errors";
import { sessionOf } from "./session";
import type { XState } from "./state";

const DEFAULTS = ["id", "name", "username"];

/** `GET /2/users/me`; source: docs.x.com, authenticated user lookup. */
export function me(state: XState, call: Call): Response {
  const session = sessionOf(state, call, "me", ["tweet.read", "users.read"]);
  const person = state.world.people.meet("x", session.account);
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
  const asked = (call.req.query("user.fields") ?? "").split(",").filter(Boolean);
  const unknown = asked.find((field) => !Object.hasOwn(user, field));
  if (unknown)
    throw invalidRequest(
      `The \`user.fields\` query parameter value [${unknown}] is not one of [${Object.keys(user).join(",")}]`,
      { "user.fields": [unknown] },
    );
  return call.json({ data: Object.fromEntries([...DEFAULTS, ...asked].map((field) => [field, user[field]])) });
}
