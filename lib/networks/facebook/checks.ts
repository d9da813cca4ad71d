import type { FieldProblem } from "../limits";
import type { PlannedMedia, PlannedPost } from "../network";
import { firstLink } from "../wire/web-page";
import { type FacebookSettings, FEED } from "./settings";

const PAGE = "developers.facebook.com/documentation/video-api/guides/reels-publishing";
const source = `https://${PAGE}`;
const MIN_BYTES = 1024;

type Post = PlannedPost<FacebookSettings>;

/** The link that a text shows as a card: the setting, or the first link in the text. */
export function linkOf({ content, settings }: Pick<Post, "content" | "settings">): string | undefined {
  return settings.link ?? firstLink(content);
}

/** A button needs the link to which it leads. */
function buttonProblems({ settings }: Post, link: string | undefined): FieldProblem[] {
  if (!settings.callToAction || link) return [];
  return [
    {
      at: "platformSettings.callToAction",
      message: "Facebook's button leads to a link, and this post has none",
      rule: "facebook.button_without_link",
      measured: settings.callToAction,
      source: FEED,
      fix: "Set link, or remove callToAction",
      change: { op: "remove" },
    },
  ];
}

/** Reports settings that Facebook does not take in this format, and that are therefore not sent. */
function notSent({ settings }: Post, names: (keyof FacebookSettings)[], where: string): FieldProblem[] {
  return names.flatMap((name) =>
    settings[name] === undefined
      ? []
      : [
          {
            at: `platformSettings.${name}`,
            message: `Facebook does not take this for ${where}, so it is not sent`,
            rule: "facebook.not_sent",
            severity: "warning",
            source: FEED,
            fix: "Remove it",
            change: { op: "remove" },
          },
        ],
  );
}

export function checkText(post: Post): FieldProblem[] {
  return buttonProblems(post, linkOf(post));
}

export function checkPhotos(post: Post): FieldProblem[] {
  return notSent(post, ["link", "callToAction"], "photos");
}

/** A video in the feed has a button with a link, but no place. */
export function checkFeedVideo(post: Post): FieldProblem[] {
  const { link, callToAction } = post.settings;
  const lone = link && !callToAction ? notSent(post, ["link"], "videos without callToAction") : [];
  return [...checkVideo(post), ...buttonProblems(post, link), ...lone, ...notSent(post, ["placeId"], "feed videos")];
}

export function checkReel(post: Post): FieldProblem[] {
  return [...checkUpright(post), ...notSent(post, ["link", "callToAction"], "reels")];
}

export function checkStory(post: Post): FieldProblem[] {
  return [...checkUpright(post), ...notSent(post, ["placeId", "link", "callToAction"], "stories")];
}

/** Videos in the feed have a minimum file size. */
function checkVideo({ media }: Post): FieldProblem[] {
  return media.flatMap(({ kind, sizeBytes }, index) => {
    if (kind !== "video" || sizeBytes === undefined || sizeBytes >= MIN_BYTES) return [];
    const message = `Facebook requires videos of at least ${MIN_BYTES} bytes; this one has ${sizeBytes}`;
    return [
      {
        at: `attachmentPaths[${index}]`,
        message,
        rule: "media.size",
        measured: sizeBytes,
        limit: { min: MIN_BYTES },
        source: "https://developers.facebook.com/documentation/video-api/reference/error-codes",
        fix: "Export a larger video file",
      },
    ];
  });
}

/** Reels and story videos should have a ratio of 9:16. */
function checkUpright({ media }: Post): FieldProblem[] {
  return media.flatMap(uprightProblems);
}

function uprightProblems({ kind, width = 0, height = 0 }: PlannedMedia, index: number): FieldProblem[] {
  if (kind !== "video" || !(width > 0 && height > 0)) return [];
  const at = `attachmentPaths[${index}]`;
  const measured = `${width} x ${height}`;
  if (Math.abs(width / height - 9 / 16) < 0.01) return [];
  const message = `Facebook asks for a ratio of 9:16 (${PAGE}). This video is ${measured}, so Facebook may refuse it`;
  return [
    {
      at,
      message,
      rule: "video.upright",
      measured,
      limit: "9:16",
      source,
      fix: "Crop the video to 9:16",
      severity: "warning",
    },
  ];
}
