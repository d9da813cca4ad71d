import type { FieldProblem } from "../limits";
import type { PlannedMedia, PlannedPost } from "../network";
import type { FacebookSettings } from "./settings";

const PAGE = "developers.facebook.com/documentation/video-api/guides/reels-publishing";
const source = `https://${PAGE}`;
const MIN_BYTES = 1024;

/** Videos in the feed have a minimum file size. */
export function checkVideo({ media }: PlannedPost<FacebookSettings>): FieldProblem[] {
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
export function checkUpright({ media }: PlannedPost<FacebookSettings>): FieldProblem[] {
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
