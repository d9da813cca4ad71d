import { z } from "zod";
import type { FieldProblem } from "../limits";
import type { PlannedPost } from "../network";

const toggle = (description: string) => z.boolean().default(false).meta({ description });

/** SPEC, "Platform settings". TikTok decides which levels a creator can choose: `accountOptions` reads them. */
export const settings = z.strictObject({
  title: z.string().default("").meta({ description: "The photos' title, or the first line of the video's caption" }),
  privacyLevel: z
    .enum(["PUBLIC_TO_EVERYONE", "FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"])
    .meta({ description: "Who can see it; TikTok decides which values a creator can choose" }),
  disableDuet: toggle("Disables duets; not sent for photos, which have none"),
  disableComments: toggle("Disables comments"),
  disableStitch: toggle("Disables stitches; not sent for photos, which have none"),
  brandContent: toggle("Paid partnership: promotes another business. Cannot be SELF_ONLY"),
  brandOrganic: toggle("Promotes the creator's own business"),
  aiContent: toggle("Labels the post as made with AI"),
  autoAddMusic: toggle("TikTok adds music of its choice; not sent for videos"),
  hasUsageConfirmation: toggle("The user agreed to TikTok's Music Usage Confirmation; TikTok requires you to ask"),
});

export type TikTokSettings = z.output<typeof settings>;

type Post = PlannedPost<TikTokSettings>;

export const CAPTION_MAX = 2200;

/** As of 2026-08-04. */
const source = "https://developers.tiktok.com/docs/en/content-sharing-guidelines";

/** Checks combinations of settings. */
export function settingsProblems({ settings }: Post): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (settings.brandContent && settings.privacyLevel === "SELF_ONLY") {
    problems.push({
      at: "platformSettings.privacyLevel",
      message: "TikTok does not accept a paid partnership that only its creator can see",
      rule: "tiktok.brand_content_private",
      measured: "SELF_ONLY",
      source,
      fix: "Choose another privacyLevel, or set brandContent to false",
    });
  }
  if (!settings.hasUsageConfirmation) {
    problems.push({
      at: "platformSettings.hasUsageConfirmation",
      message: "TikTok requires people to agree to its Music Usage Confirmation before you post for them",
      rule: "tiktok.usage_confirmation",
      severity: "warning",
      source,
      fix: "Show them the confirmation text, and send true once they have agreed",
    });
  }
  return problems;
}

/** Like `settingsProblems`, and checks the length of title and content as the one caption that a video has. */
export function tiktokVideoProblems(post: Post): FieldProblem[] {
  const length = post.settings.title.length + post.content.length;
  const isEitherTooLong = post.content.length > CAPTION_MAX || post.settings.title.length > CAPTION_MAX;
  if (length <= CAPTION_MAX || isEitherTooLong) return settingsProblems(post); // a single text is checked by its own limit
  const caption: FieldProblem = {
    at: "content",
    message: `TikTok accepts at most ${CAPTION_MAX} UTF-16 units for title and text together; these have ${length}`,
    rule: "tiktok.caption_length",
    measured: length,
    limit: { max: CAPTION_MAX },
    fix: `Shorten the title or the text by ${length - CAPTION_MAX} UTF-16 units`,
  };
  return [caption, ...settingsProblems(post)];
}

/**
 * A video has one text: the title, then the content on a new line. The line break is left out if only it exceeds the limit
 * (DECISIONS, "Schedules"). TikTok counts UTF-16 units, as `length` does.
 */
export function captionOf({ content, settings }: { content: string; settings: TikTokSettings }): string {
  const isFull = settings.title.length + content.length === CAPTION_MAX;
  return [settings.title, content].filter(Boolean).join(isFull ? "" : "\n");
}
