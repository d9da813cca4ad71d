import { PlatformError } from "../errors";
import type { AccountOptions, OutgoingMedia, Session } from "../network";
import { type Creator, creatorInfo } from "./api";
import type { TikTokSettings } from "./settings";

/** Returns the options of this creator, for the composer. TikTok requires reading them each time, as they can change. */
export async function accountOptions(session: Session): Promise<AccountOptions> {
  const creator = await creatorInfo(session);
  const only = (isDisabled: boolean) => (isDisabled ? [true] : [false, true]);
  return {
    displayName: creator.creator_nickname,
    settings: {
      privacyLevel: creator.privacy_level_options,
      disableComments: only(creator.comment_disabled),
      disableDuet: only(creator.duet_disabled),
      disableStitch: only(creator.stitch_disabled),
    },
    video: { maxSeconds: creator.max_video_post_duration_sec },
  };
}

/**
 * Checks a post against the options that its creator has right now (SPEC: disallowed values are rejected at publish time).
 * @throws PlatformError `rejected`, with all problems
 */
export function assertAllowed(creator: Creator, settings: TikTokSettings, video?: OutgoingMedia): void {
  const { privacy_level_options: levels, max_video_post_duration_sec: most } = creator;
  const problems: string[] = [];
  if (!levels.includes(settings.privacyLevel))
    problems.push(`privacyLevel ${settings.privacyLevel} is not available to this creator, only ${levels.join(", ")}`);
  if (creator.comment_disabled && !settings.disableComments) problems.push(switchedOff("comments", "disableComments"));
  if (video) {
    if (creator.duet_disabled && !settings.disableDuet) problems.push(switchedOff("duets", "disableDuet"));
    if (creator.stitch_disabled && !settings.disableStitch) problems.push(switchedOff("stitches", "disableStitch"));
    if (most !== undefined && (video.durationSeconds ?? 0) > most)
      problems.push(`this creator's videos may be at most ${most} seconds long, this one has ${video.durationSeconds}`);
  }
  if (problems.length > 0)
    throw new PlatformError("rejected", `TikTok does not allow this post: ${problems.join("; ")}`);
}

function switchedOff(what: string, setting: string): string {
  return `this creator has ${what} switched off, so ${setting} must be true`;
}
