import { z } from "zod";
import { env } from "../../env";
import { parseUrl } from "../../env/parse-url";
import { firstComment } from "../comment";
import type { FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";
import { pollOptions, pollProblems } from "../poll";
import { countLinks } from "../text/count";

const PAGE = "developers.facebook.com/documentation/threads/posts";
const source = `https://${PAGE}`;
const LOCATIONS = "https://developers.facebook.com/docs/threads/create-posts/location-tagging";

const withoutSign = (value: unknown) => (typeof value === "string" ? value.trim().replace(/^#/, "") : value);

/** SPEC: only `topicTag`. A leading `#` is not part of the tag. All settings apply to the first post of a thread. */
export const settings = z.strictObject({
  topicTag: z
    .preprocess(withoutSign, z.string())
    .optional()
    .meta({ description: "The post's topic, with or without `#`: 1 to 50 characters, no `.` and no `&`" }),
  whoCanReply: z
    .enum(["EVERYONE", "FOLLOWING", "FOLLOWERS", "MENTIONED"])
    .optional()
    .meta({
      description:
        "Who can reply: people whom the account follows, its followers, or people whom the post mentions. By default as set in the Threads app",
    })
    .register(documentation, { source: source }),
  quote: z
    .string()
    .regex(/^\d+$/, "must be the digits of a post's ID at Threads; its address does not contain it")
    .optional()
    .meta({
      description: "The ID of the post to quote, as in the receipt of a published post",
    })
    .register(documentation, { source: source }),
  pollOptions,
  linkAttachment: z
    .string()
    .refine(isWebAddress, "must be an http or https URL")
    .optional()
    .meta({
      description: "The address of the link card, instead of the first link of the text. Only for texts",
    })
    .register(documentation, { source: source }),
  locationId: z
    .string()
    .regex(/^\d+$/, "must be the digits of a location's ID at Threads")
    .optional()
    .meta({
      description: "The ID of a location, from the location search of Threads",
    })
    .register(documentation, { source: LOCATIONS }),
  firstComment,
});

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? "");
}

/** Threads' names of who can reply. */
export const replyControls = {
  EVERYONE: "everyone",
  FOLLOWING: "accounts_you_follow",
  FOLLOWERS: "followers_only",
  MENTIONED: "mentioned_only",
} satisfies { [W in NonNullable<ThreadsSettings["whoCanReply"]>]: string };

export type ThreadsSettings = z.output<typeof settings>;

export const MAX_LINKS = 5;

/** Checks the settings of a post. The replies of a thread have none. */
export function check(post: PlannedPost<ThreadsSettings>): FieldProblem[] {
  if (post.isReply) return [];
  const { linkAttachment, locationId } = post.settings;
  return [
    ...topicProblems(post.settings),
    ...pollProblems("Threads", post, linkAttachment ? ["a link attachment"] : [], source),
    ...(linkAttachment ? linkProblems(post, linkAttachment) : []),
    ...(locationId && !env.threadsLocations ? [locationProblem] : []),
  ];
}

const locationProblem: FieldProblem = {
  at: "platformSettings.locationId",
  message: "Locations of Threads are not set up on this server",
  rule: "threads.locations_off",
  source: LOCATIONS,
  fix: "Omit it, or ask the operator to set THREADS_LOCATIONS",
  change: { op: "remove" },
};

/** A link attachment counts as one of the links, and only texts have one. */
function linkProblems({ content, media }: PlannedPost<ThreadsSettings>, link: string): FieldProblem[] {
  const at = "platformSettings.linkAttachment";
  if (media.length > 0) {
    const message = "Threads takes a link attachment only for posts without media";
    return [{ at, message, rule: "threads.link_attachment", source, fix: "Omit it", change: { op: "remove" } }];
  }
  const measured = countLinks(`${content}\n${link}`);
  if (measured <= MAX_LINKS || countLinks(content) > MAX_LINKS) return [];
  const message = `Threads takes at most ${MAX_LINKS} links with the link attachment, this post has ${measured}`;
  return [{ at, message, rule: "text.links", measured, limit: { max: MAX_LINKS }, source, fix: "Remove a link" }];
}

/** Checks the topic tag, whose rules go beyond a length limit. */
function topicProblems({ topicTag: topic }: ThreadsSettings): FieldProblem[] {
  if (topic === undefined) return [];
  const at = "platformSettings.topicTag";
  if (topic === "") {
    const message = "Threads does not accept an empty topic";
    return [
      {
        at,
        message,
        rule: "topic.empty",
        limit: { min: 1, max: 50 },
        source,
        fix: "Omit it",
        change: { op: "remove" },
      },
    ];
  }
  if (!/[.&]/.test(topic)) return [];
  const message = `Threads does not accept "." or "&" in a topic (${PAGE}). This one is ${topic}`;
  const value = topic.replace(/[.&]/g, "");
  const change = value ? ({ op: "replace", value } as const) : ({ op: "remove" } as const);
  return [
    {
      at,
      message,
      rule: "topic.characters",
      measured: topic,
      limit: "no . and no &",
      source,
      fix: "Remove these characters",
      change,
    },
  ];
}
