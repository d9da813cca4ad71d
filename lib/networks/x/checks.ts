import type { FieldProblem } from "../limits";
import type { PlannedPost } from "../network";
import { settingsProblems, type XSettings } from "./settings";

type Post = PlannedPost<XSettings>;

const TWITTER_TEXT = "https://github.com/twitter/twitter-text";
const INVALID_CHARACTERS = /[\uFFFE\uFEFF\uFFFF]/g;

export const INTRODUCTION = "https://docs.x.com/x-api/media/introduction";
export const BEST_PRACTICES = "https://docs.x.com/x-api/media/quickstart/best-practices";

/** The rules of every post. twitter-text, `hasInvalidCharacters`: byte order marks and noncharacters make a text invalid. */
export function commonCheck(post: Post): FieldProblem[] {
  const { content } = post;
  const problems = settingsProblems(post);
  const found = content.match(INVALID_CHARACTERS)?.length ?? 0;
  if (found === 0) return problems;
  const message = `X accepts no byte order marks, U+FFFE or U+FFFF; this text has ${found}`;
  const change = { op: "replace", value: content.replace(INVALID_CHARACTERS, "") } as const;
  const of = { at: "content", rule: "text.characters", measured: found, limit: { max: 0 }, source: TWITTER_TEXT };
  return [...problems, { ...of, message, fix: "Remove these characters", change }];
}

/** A post has up to four still images, one animation or one video. */
export function mixedCheck(post: Post): FieldProblem[] {
  const moving = post.media.filter(({ kind, frames = 1 }) => kind === "video" || frames > 1).length;
  const problems = commonCheck(post);
  if (moving === 0) return problems;
  const message = "X accepts up to four still images, one animation or one video, and does not mix them";
  const of = { at: "attachmentPaths", rule: "media.mixed", measured: moving, limit: { max: 0 }, source: INTRODUCTION };
  return [...problems, { ...of, message, fix: "Keep the still images, or only one of the others" }];
}

const UNSUBSCRIBED_LIMIT = { longer: 1280, shorter: 1024 };

/** Larger videos are for subscribers. X's API reports who subscribes, but not which limits a subscription has. */
export function subscriberCheck(post: Post): FieldProblem[] {
  const [{ width = 0, height = 0 } = {}] = post.media;
  const problems = commonCheck(post);
  if (Math.max(width, height) <= UNSUBSCRIBED_LIMIT.longer && Math.min(width, height) <= UNSUBSCRIBED_LIMIT.shorter)
    return problems;
  const measured = `${width} x ${height}`;
  const message = `X may refuse videos larger than 1280 x 1024 pixels from accounts without a subscription; this one has ${measured}`;
  const of = {
    at: "attachmentPaths[0]",
    rule: "video.subscribers",
    measured,
    limit: "1280 x 1024",
    source: BEST_PRACTICES,
  };
  return [...problems, { ...of, message, fix: "Resize the video", severity: "warning" }];
}
