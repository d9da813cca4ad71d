import { z } from "zod";
import type { Problem } from "../errors";
import { platformValues } from "../platforms";

/** The nested body of `POST /v1/posts` (SPEC, "Posting schedule"), as far as its shape goes; a field that is none is refused by name. */
export const NewPost = z.strictObject({
  content: z.string().max(100_000).default(""),
  attachmentPaths: z.array(z.string().max(2048)).max(50).default([]),
  chatId: z.string().max(255).nullish(),
  thumbnailPath: z.string().max(2048).nullish(),
});

export const NewPublication = z.strictObject({
  socialMediaAccountId: z.number().int(),
  platformSettings: z.looseObject({ type: z.string() }),
  posts: z.array(NewPost).min(1).max(50),
});

export const NewSchedule = z.strictObject({
  scheduledTime: z.string().max(64).nullish(),
  isDraft: z.boolean().default(false),
  publications: z.array(NewPublication).min(1).max(100),
});

/** The flat body of partners (SPEC, "Partner (connect) endpoints", rule 5): one account, one post. */
export const FlatSchedule = z.strictObject({
  platform: z.enum(platformValues),
  accountId: z.union([z.number().int(), z.string().min(1).max(255)]),
  content: z.string().max(100_000).default(""),
  mediaPaths: z.array(z.string().max(2048)).max(50).default([]),
  scheduledTime: z.string().max(64).nullish(),
  publicationType: z.string().max(64).optional(),
  chatId: z.string().max(255).nullish(),
  isDraft: z.boolean().default(false),
});

export type NewSchedule = z.output<typeof NewSchedule>;
export type FlatSchedule = z.output<typeof FlatSchedule>;

/** Whether a body is the flat one; undefined where it mixes both shapes. */
export function isFlat(body: unknown): boolean | undefined {
  if (typeof body !== "object" || body === null) return false;
  const flat = ["platform", "accountId", "content", "mediaPaths", "publicationType", "chatId"].some(
    (name) => name in body,
  );
  return flat && "publications" in body ? undefined : flat;
}

/** What is wrong with a body that mixes both shapes. */
export const mixedBody: Problem = {
  path: "publications",
  message: "cannot stand beside the fields of the flat body",
  rule: "body.mixed",
};
