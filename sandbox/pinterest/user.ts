import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { sessionOf } from "./session";
import { type PinterestState, userId } from "./state";

/** `GET /v5/user_account`. */
export function userAccount(state: PinterestState, call: Call): Response {
  const { account } = sessionOf(state, call, "read", ["user_accounts:read"]);
  const person = state.world.people.meet("pinterest", account);
  return call.json({
    id: userId(account),
    username: person.name,
    account_type: "BUSINESS",
    business_name: person.displayName,
    profile_image: new URL(avatarPath("pinterest", person.name), call.req.url).href,
    website_url: "",
    about: "",
    board_count: state.boardsOf(account).length,
    pin_count: 0,
    follower_count: 0,
    following_count: 0,
    monthly_views: 0,
  });
}
