import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { noPermission, tokenOf } from "./session";
import { type LinkedInState, subOf } from "./state";

/** `GET /v2/userinfo`, which has no version; source: learn.microsoft.com, sign in with LinkedIn using OpenID Connect. */
export function userinfo(state: LinkedInState, call: Call): Response {
  const { account, scopes } = tokenOf(state, call);
  if (!scopes.includes("openid") || !scopes.includes("profile")) throw noPermission("userinfo.GET");
  const person = state.world.people.meet("linkedin", account);
  return call.json({
    sub: subOf(account),
    name: `${person.displayName} Sandbox`,
    given_name: person.displayName,
    family_name: "Sandbox",
    picture: new URL(avatarPath("linkedin", person.name), call.req.url).href,
    locale: { country: "US", language: "en" },
  });
}
