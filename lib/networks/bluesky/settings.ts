import { z } from "zod";
import { firstComment } from "../comment";
import { countProblems, type FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";

const LEXICONS = "https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky";
const POST = `${LEXICONS}/feed/post.json`;
const GATE = `${LEXICONS}/feed/threadgate.json`;

/** SPEC: only `type` is required. */
export const settings = z.strictObject({
  firstComment,
  languages: z
    .array(z.string().refine(isLanguage, "must be a language code (BCP 47), such as en or de-AT"))
    .optional()
    .meta({
      description: "The languages of the text, at most 3 codes such as `en` or `de-AT`",
    })
    .register(documentation, { source: POST }),
  whoCanReply: z
    .array(z.enum(["MENTIONED", "FOLLOWING", "FOLLOWERS", "NOBODY"]))
    .optional()
    .meta({
      description:
        "Who can reply to the post or thread: people it mentions, people whom the account follows, its followers; or `NOBODY`, alone. By default everyone",
    })
    .register(documentation, { source: GATE }),
  labels: z
    .array(z.enum(["SEXUAL", "NUDITY", "PORN", "GRAPHIC_MEDIA"]))
    .optional()
    .meta({ description: "Content warnings, on every post" })
    .register(documentation, { source: POST }),
  quote: z
    .string()
    .refine((address) => quotedPost(address) !== undefined, "must be the address of a post on bsky.app")
    .optional()
    .meta({
      description: "The address of the post to quote, such as `https://bsky.app/profile/…/post/…`",
    })
    .register(documentation, { source: `${LEXICONS}/embed/record.json` }),
});

export type BlueskySettings = z.output<typeof settings>;

/** Labels that an author can set (docs.bsky.app/docs/advanced-guides/moderation, "Self-labels"). */
export const labelValues: { [L in NonNullable<BlueskySettings["labels"]>[number]]: string } = {
  SEXUAL: "sexual",
  NUDITY: "nudity",
  PORN: "porn",
  GRAPHIC_MEDIA: "graphic-media",
};

const MAX_LANGUAGES = 3;

/** Checks the number of languages, and that `NOBODY` is not combined with other values. */
export function check({ settings, isReply }: PlannedPost<BlueskySettings>): FieldProblem[] {
  if (isReply) return []; // reported for the first post of the thread
  const { languages = [], whoCanReply = [] } = settings;
  const problems = countProblems("Bluesky", "languages", languages, { max: MAX_LANGUAGES }, POST);
  if (whoCanReply.includes("NOBODY") && new Set(whoCanReply).size > 1) {
    problems.push({
      at: "platformSettings.whoCanReply",
      message: "NOBODY cannot be combined with people who can reply",
      rule: "bluesky.nobody",
      measured: whoCanReply.join(", "),
      source: GATE,
      fix: "Remove NOBODY, or everything else",
      change: { op: "replace", value: ["NOBODY"] },
    });
  }
  return problems;
}

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/** Returns the account (a handle or DID) and the record key in a post's address; undefined if it is not the address of a post. */
export function quotedPost(address: string): { account: string; key: string } | undefined {
  const [, account = "", key = ""] =
    /^(?:https:\/\/bsky\.app\/profile\/([^/\s?#]+)\/post|at:\/\/([^/\s?#]+)\/app\.bsky\.feed\.post)\/([2-7a-z]{13})\/?$/
      .exec(address.trim())
      ?.filter((part) => part !== undefined) ?? [];
  return account ? { account, key } : undefined;
}
