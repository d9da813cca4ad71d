import type { Call } from "../core/network";
import { avatarPath } from "../core/users";
import { errors, ok, sessionOf } from "./request";
import { type Creator, openId, type PrivacyLevel, type TikTokState, unionId } from "./state";

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

/** `GET /v2/user/info/`: returns the requested fields. Each needs its scope. */
export function userInfo(state: TikTokState, call: Call): Response {
  const session = sessionOf(state, call, "profile", "user.info.basic");
  const fields = (call.req.query("fields") ?? "").split(",").filter(Boolean);
  if (fields.length === 0) throw errors.invalid("The parameter fields is required.");
  for (const field of fields) {
    const scope = FIELDS[field];
    if (!scope) throw errors.invalid(`The field ${field} does not exist.`);
    if (!session.scopes.includes(scope) && state.switches.fieldsWithoutScope === "error") throw errors.noScope(scope);
  }
  const granted = fields.filter((field) => session.scopes.includes(FIELDS[field] ?? ""));
  const person = state.world.users.findOrCreate("tiktok", session.account);
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
  return ok(call, { user: Object.fromEntries(granted.map((field) => [field, user[field]])) });
}

const DAY_MS = 86_400_000;
/** The approximate limit, shared by all applications. Source: content sharing guidelines. */
const POSTS_PER_DAY = 15;
const UNAUDITED_USERS_PER_DAY = 5;

/** `POST /v2/post/publish/creator_info/query/`: limits are reported with HTTP 200. */
export function creatorInfo(state: TikTokState, call: Call): Response {
  const { account } = sessionOf(state, call, "creatorInfo", "video.publish");
  assertMayPost(state, account, 200);
  const creator = state.creatorOf(account);
  const person = state.world.users.findOrCreate("tiktok", account);
  return ok(call, {
    creator_avatar_url: new URL(avatarPath("tiktok", account, ""), call.req.url).href,
    creator_username: account,
    creator_nickname: person.displayName,
    privacy_level_options: optionsOf(creator),
    comment_disabled: creator.commentDisabled,
    duet_disabled: creator.isPrivate || creator.duetDisabled,
    stitch_disabled: creator.isPrivate || creator.stitchDisabled,
    max_video_post_duration_sec: creator.maxSeconds,
  });
}

export function optionsOf({ isPrivate }: Creator): PrivacyLevel[] {
  const widest = isPrivate ? "FOLLOWER_OF_CREATOR" : "PUBLIC_TO_EVERYONE";
  return [widest, "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"];
}

/**
 * Checks bans and daily limits, which apply whatever the post contains.
 * @throws TikTokError with the given status
 */
export function assertMayPost(state: TikTokState, account: string, status: 200 | 403): void {
  const since = state.world.clock.now() - DAY_MS;
  if (state.creatorOf(account).isBanned) throw errors.banned(status);
  if (state.publishesSince(account, since).length >= POSTS_PER_DAY) throw errors.tooManyPosts(status);
  const active = state.accountsSince(since);
  const isOver = active.size >= UNAUDITED_USERS_PER_DAY && !active.has(account);
  if (!state.registration().isAudited && isOver) throw errors.userCap(status);
}
