import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { ok, refusals } from "./errors";
import { sessionOf } from "./session";
import type { Creator, PrivacyLevel, TikTokState } from "./state";

const DAY_MS = 86_400_000;
/** About this many, shared by all applications; source: content sharing guidelines. */
const POSTS_PER_DAY = 15;
const UNAUDITED_USERS_PER_DAY = 5;

/** `POST /v2/post/publish/creator_info/query/`: caps are answered with HTTP 200. */
export function creatorInfo(state: TikTokState, call: Call): Response {
  const { account } = sessionOf(state, call, "creatorInfo", "video.publish");
  assertMayPost(state, account, 200);
  const creator = state.creatorOf(account);
  const person = state.world.people.meet("tiktok", account);
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

/** The caps and bans that hold before anything about a post is known. */
export function assertMayPost(state: TikTokState, account: string, status: 200 | 403): void {
  const since = state.world.clock.now() - DAY_MS;
  if (state.creatorOf(account).isBanned) throw refusals.banned(status);
  if (state.publishesSince(account, since).length >= POSTS_PER_DAY) throw refusals.tooManyPosts(status);
  const active = state.accountsSince(since);
  const isOver = active.size >= UNAUDITED_USERS_PER_DAY && !active.has(account);
  if (!state.registration().isAudited && isOver) throw refusals.userCap(status);
}
