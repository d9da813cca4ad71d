import { z } from "zod";
import { firstComment } from "../comment";
import type { FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";
import { pollOptions, pollProblems } from "../poll";

export const CREATE_POST = "https://docs.x.com/x-api/posts/create-post";
const MINUTES = { min: 5, max: 10_080 };
const POST = /^(?:https:\/\/(?:www\.)?(?:x|twitter)\.com\/\w+\/(?:web\/)?status\/)?(\d{1,19})(?:[/?#]\S*)?$/;

/** SPEC: only `type` is required. All other settings apply to the first post of a thread. */
export const settings = z.strictObject({
  firstComment,
  whoCanReply: z
    .enum(["FOLLOWING", "MENTIONED", "SUBSCRIBERS", "VERIFIED"])
    .optional()
    .meta({
      description:
        "Who can reply: people whom the account follows, people whom the post mentions, subscribers, or verified accounts. By default everyone",
    })
    .register(documentation, { source: CREATE_POST }),
  quote: z
    .string()
    .regex(POST, "must be the address of a post on X, or its ID")
    .optional()
    .meta({
      description: "The post to quote: its address or ID. X allows it only to apps with an Enterprise plan",
    })
    .register(documentation, { source: CREATE_POST }),
  pollOptions,
  pollMinutes: z
    .int()
    .min(MINUTES.min, "must be from 5 to 10,080")
    .max(MINUTES.max, "must be from 5 to 10,080")
    .optional()
    .meta({
      description: "How long the poll runs, 5 to 10,080 minutes (seven days). By default 1,440, a day",
    })
    .register(documentation, { source: CREATE_POST }),
});

export type XSettings = z.output<typeof settings>;

/** X's names of who can reply. */
export const replySettings = {
  FOLLOWING: "following",
  MENTIONED: "mentionedUsers",
  SUBSCRIBERS: "subscribers",
  VERIFIED: "verified",
} satisfies { [W in NonNullable<XSettings["whoCanReply"]>]: string };

export const DEFAULT_POLL_MINUTES = 1440;

/** Returns the ID of a post from its address or ID. */
export function postId(quote: string): string | undefined {
  return POST.exec(quote)?.[1];
}

const CHANGELOG = "https://docs.x.com/changelog";

/** Checks settings that X does not combine, and warns about those for which most apps have no plan. */
export function settingsProblems(post: PlannedPost<XSettings>): FieldProblem[] {
  if (post.isReply) return [];
  const { quote, pollMinutes, pollOptions: options = [] } = post.settings;
  const problems = pollProblems("X", post, quote ? ["a quote"] : [], CREATE_POST);
  if (pollMinutes !== undefined && options.length === 0) {
    const of = { at: "platformSettings.pollMinutes", rule: "poll.options", source: CREATE_POST };
    problems.push({ ...of, message: "A poll needs options", fix: "Add pollOptions", change: { op: "remove" } });
  }
  if (!quote) return problems;
  const at = "platformSettings.quote";
  if (post.media.length > 0) {
    const message = "X does not combine a quote with attachments";
    problems.push({
      at,
      message,
      rule: "x.quote_alone",
      source: CREATE_POST,
      fix: "Remove one of them",
      change: { op: "remove" },
    });
  }
  const message = "X lets only apps with an Enterprise plan quote posts, and may refuse this post";
  problems.push({
    at,
    message,
    rule: "x.quote_plan",
    source: CHANGELOG,
    fix: "Link to the post in the text instead",
    severity: "warning",
  });
  return problems;
}
