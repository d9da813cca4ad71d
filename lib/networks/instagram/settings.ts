import { z } from "zod";
import { firstComment } from "../comment";
import { countProblems, type FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";

const MEDIA =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/media";
const ERRORS =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes";

const MAX_COLLABORATORS = 3;
const MAX_TAGS = 20;

/** A user name without `@`: with it, Instagram answers 110/2207018 (github.com/gitroomhq/postiz-app/pull/1966). */
const username = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().replace(/^@/, "") : value),
  z.string().regex(/^[\w.]{1,30}$/, "must be a user name: letters, digits, _ and ., at most 30"),
);

const position = z.number().min(0, "must be from 0 to 1").max(1, "must be from 0 to 1").optional();

const placedTag = z
  .strictObject({
    username,
    x: position.meta({ description: "The distance from the image's left edge, from 0 to 1; only for images" }),
    y: position.meta({ description: "The distance from the image's top edge, from 0 to 1; only for images" }),
    attachment: z
      .int()
      .min(0, "must not be negative")
      .optional()
      .meta({ description: "Which attachment the person is tagged in, counted from 0 (the default)" }),
  })
  .refine(({ x, y }) => (x === undefined) === (y === undefined), "must have both x and y, or neither");

/** A user name alone tags the person in the first attachment. */
const userTag = z.union([username, placedTag], {
  error: "must be a user name, or an object with username, x and y from 0 to 1, and attachment",
});

export type UserTag = z.output<typeof placedTag>;

/** Returns the tags as objects. */
export function userTagsOf({ userTags = [] }: InstagramSettings): UserTag[] {
  return userTags.map((tag) => (typeof tag === "string" ? { username: tag } : tag));
}

/** SPEC: the default is FEED; `REEL` is an alias of `REELS`. The other fields are optional additions. */
export const settings = z.strictObject({
  publicationType: z
    .preprocess((value) => (value === "REEL" ? "REELS" : value), z.enum(["FEED", "REELS", "STORY"]))
    .default("FEED")
    .meta({ description: "Where it appears; `REEL` is an alias of `REELS`" }),
  aiContent: z.boolean().default(false).meta({ description: "Labels the post as made with AI" }),
  collaborators: z
    .array(username)
    .optional()
    .meta({
      description: "User names that are invited as co-authors, at most 3; not for stories",
      maxItems: MAX_COLLABORATORS,
    })
    .register(documentation, { source: MEDIA }),
  userTags: z
    .array(userTag)
    .optional()
    .meta({
      description:
        "People who are tagged in the images and videos, at most 20: their user names, or objects with a position",
      maxItems: MAX_TAGS,
    })
    .register(documentation, { source: MEDIA }),
  locationId: z
    .string()
    .regex(/^\d+$/, "must be the digits of a Page's ID")
    .optional()
    .meta({ description: "The ID of a Facebook Page with a location; not for stories" })
    .register(documentation, { source: MEDIA }),
  videoCoverTimestampMs: z
    .int()
    .min(0, "must not be negative")
    .optional()
    .meta({
      description:
        "The frame that is the cover of a single video, in milliseconds from its start; `thumbnailPath` replaces it",
    })
    .register(documentation, { source: MEDIA }),
  firstComment,
});

export type InstagramSettings = z.output<typeof settings>;

type Post = PlannedPost<InstagramSettings>;

/** Checks the number of people, and that each tag names an attachment of the post. */
function peopleProblems({ media, settings }: Post): FieldProblem[] {
  const { collaborators = [], userTags = [] } = settings;
  const misplaced = userTagsOf(settings).flatMap(({ attachment = 0 }, index) =>
    attachment < media.length
      ? []
      : [
          {
            at: `platformSettings.userTags[${index}]`,
            message: `The person must be tagged in one of the attachments, which are counted from 0: this post has ${media.length}`,
            rule: "instagram.tagged_attachment", // Carillon's own rule: Instagram takes the tags with each attachment
            measured: attachment,
            limit: { max: media.length - 1 },
            fix: "Choose one of the attachments",
          },
        ],
  );
  return [
    ...countProblems("Instagram", "collaborators", collaborators, { max: MAX_COLLABORATORS }, MEDIA),
    ...countProblems("Instagram", "userTags", userTags, { max: MAX_TAGS }, ERRORS),
    ...misplaced,
  ];
}

/** Reports a setting that is not sent, because Instagram does not take it in this format. */
function notSent(settings: InstagramSettings, name: keyof InstagramSettings, where: string): FieldProblem[] {
  if (settings[name] === undefined) return [];
  return [
    {
      at: `platformSettings.${name}`,
      message: `Instagram does not take this for ${where}, so it is not sent`,
      rule: "instagram.not_sent",
      severity: "warning",
      source: MEDIA,
      fix: "Remove it",
      change: { op: "remove" },
    },
  ];
}

/** The rules of one image and of a carousel, whose cover is its first item. */
export function instagramImageProblems(post: Post): FieldProblem[] {
  return [...peopleProblems(post), ...notSent(post.settings, "videoCoverTimestampMs", "images and carousels")];
}

/** The rules of a reel: the frame of the cover is in the video, and a picture as the cover replaces it. */
export function reelProblems(post: Post): FieldProblem[] {
  const { media, settings, thumbnail } = post;
  const [at, seconds] = [settings.videoCoverTimestampMs, media[0]?.durationSeconds];
  const problems = peopleProblems(post);
  if (thumbnail) problems.push(...notSent(settings, "videoCoverTimestampMs", "videos with a thumbnailPath"));
  if (at === undefined || seconds === undefined || at < seconds * 1000) return problems;
  return [
    ...problems,
    {
      at: "platformSettings.videoCoverTimestampMs",
      message: `The cover must be a frame of the video, which lasts ${seconds} seconds; ${at} ms is after its end`,
      rule: "instagram.cover_time",
      measured: at,
      limit: { max: Math.ceil(seconds * 1000) - 1 },
      source: ERRORS,
      fix: "Choose an earlier frame",
    },
  ];
}

/** The rules of stories, which have neither co-authors nor a location. */
export function storyProblems(post: Post): FieldProblem[] {
  const names = ["collaborators", "locationId", "videoCoverTimestampMs"] as const;
  return [...peopleProblems(post), ...names.flatMap((name) => notSent(post.settings, name, "stories"))];
}
