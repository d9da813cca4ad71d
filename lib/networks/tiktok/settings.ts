import { z } from "zod";
import { env } from "../../env";
import type { FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";

/** The privacy levels, from the fewest readers to the most. */
export const NARROWEST_FIRST = [
  "SELF_ONLY",
  "MUTUAL_FOLLOW_FRIENDS",
  "FOLLOWER_OF_CREATOR",
  "PUBLIC_TO_EVERYONE",
] as const;

const GUIDE = "https://developers.tiktok.com/docs/en/content-posting-api-reference";

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
  aiContent: toggle("Labels the video as made with AI; not sent for photos"),
  autoAddMusic: toggle("TikTok adds music of its choice; not sent for videos"),
  videoCoverTimestampMs: z
    .int()
    .min(0, "must not be negative")
    .optional()
    .meta({
      description: "The frame that is the video's cover, in milliseconds from its start; not sent for photos",
    })
    .register(documentation, { source: `${GUIDE}-direct-post` }),
  photoCoverIndex: z
    .int()
    .min(0, "must not be negative")
    .optional()
    .meta({
      description: "Which photo is the cover, counted from 0 (the default); not sent for videos",
    })
    .register(documentation, { source: `${GUIDE}-photo-post` }),
  sendToDrafts: toggle(
    "Sends the post to the creator's inbox in the TikTok app, where the creator finishes and publishes it. Of the other settings and texts, only the title, text and cover of photos are sent",
  ),
  hasUsageConfirmation: toggle("The user agreed to TikTok's Music Usage Confirmation; TikTok requires you to ask"),
});

export type TikTokSettings = z.output<typeof settings>;

type Post = PlannedPost<TikTokSettings>;

export const CAPTION_MAX = 2200;

/** As of 2026-08-04. */
const source = "https://developers.tiktok.com/docs/en/content-sharing-guidelines";

const UPLOAD = "https://developers.tiktok.com/doc/content-posting-api-reference-upload-video";

/** A draft needs a scope for which TikTok approves the app separately. */
function draftProblems(): FieldProblem[] {
  if (env.tiktokVideoUpload) return [];
  return [
    {
      at: "platformSettings.sendToDrafts",
      message: "This service cannot send drafts to TikTok, because its app does not have the scope video.upload",
      rule: "tiktok.drafts_off",
      source: UPLOAD,
      fix: "Set sendToDrafts to false, or ask the operator to set TIKTOK_VIDEO_UPLOAD",
      change: { op: "replace", value: false },
    },
  ];
}

/** TikTok takes no text with the draft of a video. */
function draftTextProblems({ content, settings }: Post): FieldProblem[] {
  const texts = { content, "platformSettings.title": settings.title };
  return Object.entries(texts).flatMap(([at, text]) =>
    text === ""
      ? []
      : [
          {
            at,
            message:
              "TikTok takes no text with the draft of a video, so it is not sent: the creator writes it in the app",
            rule: "tiktok.draft_text",
            severity: "warning",
            source: UPLOAD,
            fix: "Remove it, or set sendToDrafts to false",
          },
        ],
  );
}

/** Checks combinations of settings. The creator decides about a draft in the TikTok app. */
export function settingsProblems({ settings }: Post): FieldProblem[] {
  if (settings.sendToDrafts) return draftProblems();
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

/** Like `settingsProblems`, and checks the cover, and the label for content made with AI, which photos cannot have. */
export function tiktokPhotoProblems(post: Post): FieldProblem[] {
  const problems = settingsProblems(post);
  const { photoCoverIndex: index, aiContent } = post.settings;
  const count = post.media.length;
  if (index !== undefined && index >= count) {
    problems.unshift({
      at: "platformSettings.photoCoverIndex",
      message: `The cover must be one of the photos, which are counted from 0: this post has ${count}`,
      rule: "tiktok.cover_index",
      measured: index,
      limit: { max: count - 1 },
      source: `${GUIDE}-photo-post`,
      fix: "Choose one of the photos",
    });
  }
  if (aiContent && !post.settings.sendToDrafts) {
    problems.push({
      at: "platformSettings.aiContent",
      message: "The label for content made with AI is sent only for videos, so TikTok shows none for these photos",
      rule: "tiktok.ai_photos",
      severity: "warning",
      source: `${GUIDE}-photo-post`,
      fix: "Say so in the text, or set the label in the TikTok app",
    });
  }
  return problems;
}

/** Checks that the cover is a frame of the video. */
function coverProblems({ media: [video], settings }: Post): FieldProblem[] {
  const [at, seconds] = [settings.videoCoverTimestampMs, video?.durationSeconds];
  if (at === undefined || seconds === undefined || at <= seconds * 1000) return [];
  return [
    {
      at: "platformSettings.videoCoverTimestampMs",
      message: `The cover must be a frame of the video, which lasts ${seconds} seconds; ${at} ms is after its end`,
      rule: "tiktok.cover_time",
      measured: at,
      limit: { max: Math.floor(seconds * 1000) },
      source: `${GUIDE}-direct-post`,
      fix: "Choose an earlier frame",
    },
  ];
}

/** Like `settingsProblems`, and checks the cover and the length of title and content as the one caption that a video has. */
export function tiktokVideoProblems(post: Post): FieldProblem[] {
  if (post.settings.sendToDrafts) return [...draftProblems(), ...draftTextProblems(post)];
  const length = post.settings.title.length + post.content.length;
  const isEitherTooLong = post.content.length > CAPTION_MAX || post.settings.title.length > CAPTION_MAX;
  const others = [...coverProblems(post), ...settingsProblems(post)];
  if (length <= CAPTION_MAX || isEitherTooLong) return others; // a single text is checked by its own limit
  const caption: FieldProblem = {
    at: "content",
    message: `TikTok accepts at most ${CAPTION_MAX} UTF-16 units for title and text together; these have ${length}`,
    rule: "tiktok.caption_length",
    measured: length,
    limit: { max: CAPTION_MAX },
    fix: `Shorten the title or the text by ${length - CAPTION_MAX} UTF-16 units`,
  };
  return [caption, ...others];
}

/**
 * A video has one text: the title, then the content on a new line. TikTok is reported to drop line breaks, so a space before it
 * keeps the two apart. What exceeds the limit is left out of this separator (DECISIONS, "Schedules"). TikTok counts UTF-16
 * units, as `length` does.
 */
export function captionOf({ content, settings }: { content: string; settings: TikTokSettings }): string {
  const left = CAPTION_MAX - settings.title.length - content.length;
  return [settings.title, content].filter(Boolean).join(" \n".slice(0, Math.max(0, left)));
}
