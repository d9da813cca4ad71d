import { replyOf } from "../comment";
import { checkWithInvalidCode } from "../connect";
import {
  type AnimationLimits,
  type FieldProblem,
  type ImageLimits,
  type Limits,
  MB,
  type TextLimit,
  type VideoLimits,
} from "../limits";
import { type LiveChecks, testImage } from "../live-checks";
import { type DryRunAnswers, defineNetwork, type PlannedPost } from "../network";
import { me, readWindows, uploadImage } from "./api";
import { connect, refresh, revoke } from "./connect";
import { errors } from "./errors";
import { publishPost } from "./publish";
import { CREATE_POST, settings, settingsProblems, type XSettings } from "./settings";

type Post = PlannedPost<XSettings>;

const TWITTER_TEXT = "https://github.com/twitter/twitter-text";
const INVALID_CHARACTERS = /[\uFFFE\uFEFF\uFFFF]/g;
const INTRODUCTION = "https://docs.x.com/x-api/media/introduction";
const BEST_PRACTICES = "https://docs.x.com/x-api/media/quickstart/best-practices";

/** The rules of every post. twitter-text, `hasInvalidCharacters`: byte order marks and noncharacters make a text invalid. */
function commonCheck(post: Post): FieldProblem[] {
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
function mixedCheck(post: Post): FieldProblem[] {
  const moving = post.media.filter(({ kind, frames = 1 }) => kind === "video" || frames > 1).length;
  const problems = commonCheck(post);
  if (moving === 0) return problems;
  const message = "X accepts up to four still images, one animation or one video, and does not mix them";
  const of = { at: "attachmentPaths", rule: "media.mixed", measured: moving, limit: { max: 0 }, source: INTRODUCTION };
  return [...problems, { ...of, message, fix: "Keep the still images, or only one of the others" }];
}

const UNSUBSCRIBED_LIMIT = { longer: 1280, shorter: 1024 };

/** Larger videos are for subscribers. X's API reports who subscribes, but not which limits a subscription has. */
function subscriberCheck(post: Post): FieldProblem[] {
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

/** At most one cashtag since August 2026. */
const text: TextLimit = {
  max: 280,
  unit: "weighted characters",
  cashtags: 1,
  source: "https://docs.x.com/fundamentals/counting-characters",
};
/** X documents alternative texts only for images. */
const altText: TextLimit = {
  max: 1000,
  unit: "UTF-16 units",
  source: "https://docs.x.com/x-api/media/create-media-metadata",
};
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/webp", "image/gif"],
  maxBytes: 5 * MB,
  altText,
  source: BEST_PRACTICES,
};

/** Width and height limits are swapped for upright animations. */
const animation: AnimationLimits = {
  types: ["image/gif"],
  maxBytes: 15 * MB,
  side: { max: 1280 },
  shorterSide: { max: 1080 },
  maxFrames: 350,
  maxFramePixels: 300_000_000,
  altText,
  source: BEST_PRACTICES,
};
/** Up to 1080p for subscribers; see `subscriberCheck`. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  maxBytes: 512 * MB,
  seconds: { min: 0.5, max: 140 },
  ratio: { min: 1 / 3, max: 3 },
  side: { min: 32, max: 1920 },
  shorterSide: { max: 1200 },
  frameRate: { max: 60 },
  codecs: ["avc"],
  chroma: ["4:2:0"],
  // The High profile of H.264 has 8 bits.
  bitDepth: { max: 8 },
  progressive: true,
  squarePixels: true,
  audioCodecs: ["aac"],
  audioChannels: { max: 2 },
  source: BEST_PRACTICES,
};

const limits = {
  text: { text: { ...text, required: true }, source: text.source },
  image: { text, image, animation, source: INTRODUCTION },
  video: { text, video, source: INTRODUCTION },
  carousel: { text, image, count: { min: 2, max: 4 }, source: INTRODUCTION },
} satisfies { [format: string]: Limits };

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "POST", path: /\/2\/media\/upload$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/initialize$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/append$/, answer: { data: {} } },
  {
    method: "POST",
    path: /\/finalize$/,
    answer: { data: { id: "{media id}", processing_info: { state: "pending" } } },
  },
  { method: "GET", path: /\/2\/media\/upload$/, answer: { data: { processing_info: { state: "succeeded" } } } },
  { method: "POST", path: /\/2\/media\/metadata$/, answer: { data: { id: "{media id}" } } },
  { method: "GET", path: /\/2\/users\/[^/]+\/tweets$/, answer: { data: [] } },
  { method: "POST", path: /\/2\/tweets$/, answer: { data: { id: "{post id}" } } },
];

const CONSOLE = "developer.x.com, Projects & Apps";

/**
 * Only the answers of an endpoint state its limits, so only a post shows the limit of posts. `GET /2/usage/tweets` needs an app-only
 * token (X's OpenAPI document), which OAuth 2.0 credentials cannot get.
 */
const live: LiveChecks = {
  products: {
    async run(session) {
      await me(session); // X refuses an app without a project here (client-not-enrolled)
      return "The app belongs to a project that may use the API. The scopes above show whether it may write";
    },
    fix: `Open ${CONSOLE}: the app must belong to a project, with "Read and write" permissions`,
  },
  quotas: {
    async run(session) {
      const windows = await readWindows(session);
      const left = windows.map(({ name, limit, remaining }) => `${remaining} of ${limit} ${name}`);
      const found = left.length > 0 ? `Calls for the identity that are left: ${left.join(", ")}` : undefined;
      return {
        byHand: `Open ${CONSOLE}, Usage and Credits: each post costs credits, and without them all posts wait`,
        found,
      };
    },
    fix: `Open ${CONSOLE}, Usage and Credits`,
  },
  upload: {
    async run(session) {
      const { seconds } = await uploadImage(session, testImage);
      return `X accepted an image, which is not posted and expires in ${Math.round(seconds / 3600)} hours`;
    },
    fix: "Check that the permissions of the app contain media.write, then reconnect the account",
  },
  webhooks: { nothing: "Carillon uses no notifications of X" },
};

export const x = defineNetwork({
  platform: "X_TWITTER",
  name: "X",
  hosts: { api: "https://api.x.com", web: "https://x.com" },
  version: { name: "2.167" },
  settings,
  settingsTypes: ["TWITTER", "X_TWITTER"],
  formats: {
    text: { limits: limits.text, check: commonCheck, publish: publishPost },
    image: { limits: limits.image, check: commonCheck, publish: publishPost },
    video: { limits: limits.video, check: subscriberCheck, publish: publishPost },
    carousel: { limits: limits.carousel, check: mixedCheck, publish: publishPost },
  },
  posts: { max: 25, chain: "reply" },
  comment: {
    text,
    source: CREATE_POST,
    publish: (comment, run) => publishPost(replyOf(comment, settings.parse({})), run),
  },
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  profile: me,
  refresh,
  revoke,
  live,
  errors,
  dryRunAnswers,
});
