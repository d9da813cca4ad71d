import { z } from "zod";
import type { Problem } from "../errors";
import { allNetworks } from "../networks";
import type { Platform } from "../platforms";

export const MAX_PUBLICATIONS = 100;

/** The account's network defines the other fields; see `checkSettings`. */
const Settings = z.looseObject({ type: z.string() }).meta({ id: "PlatformSettings" });

const content = z.string().max(100_000).default("").meta({ description: "The text; each network has its own limit" });
const chatId = z
  .string()
  .max(255)
  .nullish()
  .meta({ description: "The Telegram channel, Facebook Page or Pinterest board; ignored on other networks" });
const scheduledTime = z
  .string()
  .max(64)
  .nullish()
  .meta({ description: "ISO 8601, with or without an offset; without one it is UTC. Only a draft may omit it" });
const isDraft = z.boolean().default(false).meta({ description: "Stored, but not published" });

/** The nested body of `POST /v1/posts` (SPEC, "Posting schedule"). Only its shape is checked here; unknown fields are rejected. */
export const NewPost = z
  .strictObject({
    content,
    attachmentPaths: z
      .array(z.string().max(2048))
      .max(50)
      .default([])
      .meta({ description: "Storage keys of uploaded files, or public URLs of files to import" }),
    chatId,
    thumbnailPath: z.string().max(2048).nullish().meta({ description: "The storage key of a cover" }),
  })
  .meta({ id: "NewPost" });

export const NewPublication = z
  .strictObject({
    socialMediaAccountId: z.number().int().meta({ description: "The `id` of an Account" }),
    platformSettings: Settings,
    posts: z
      .array(NewPost)
      .min(1)
      .max(50)
      .meta({ description: "One post, or several if the network publishes them as a thread or a sequence" }),
  })
  .meta({ id: "NewPublication" });

export const NewSchedule = z
  .strictObject({ scheduledTime, isDraft, publications: z.array(NewPublication).min(1).max(MAX_PUBLICATIONS) })
  .meta({ id: "NewSchedule", description: "A post, with one `publication` for each account" });

/** Every name of a platform: as in an Account, and as in `platformSettings.type`. */
const platformOf = new Map<string, Platform>(
  allNetworks().flatMap(({ platform, settingsTypes }) => [platform, ...settingsTypes].map((name) => [name, platform])),
);

/** The flat body of partners (SPEC, "Partner (connect) endpoints", rule 5): one account, one post. */
export const FlatSchedule = z
  .strictObject({
    platform: z
      .enum([...platformOf.keys()])
      .transform((name) => platformOf.get(name) as Platform)
      .meta({ description: "The platform of an Account, or the network's `type` in `platformSettings`" }),
    accountId: z
      .union([z.number().int(), z.string().min(1).max(255)])
      .meta({ description: "The `id` of an Account, or the network's own account ID" }),
    content,
    mediaPaths: z
      .array(z.string().max(2048))
      .max(50)
      .default([])
      .meta({ description: "Storage keys of uploaded files, or public URLs of files to import" }),
    scheduledTime,
    publicationType: z.string().max(64).optional().meta({
      description: "As in the settings of Instagram and Facebook; `REEL` is `REELS`. Other networks do not use it",
    }),
    privacyLevel: z.string().max(64).optional().meta({
      description: "As in the settings of TikTok. By default the narrowest one that the creator may choose",
    }),
    chatId,
    isDraft,
  })
  .meta({
    id: "FlatSchedule",
    description:
      "The short form: one account, one post. On YouTube, the first line of the content is the title, with at most 100 characters, and the rest is the description",
  });

export type NewSchedule = z.output<typeof NewSchedule>;
export type FlatSchedule = z.output<typeof FlatSchedule>;

/** Returns whether a body has the flat shape; undefined if it mixes both shapes. */
export function isFlat(body: unknown): boolean | undefined {
  if (typeof body !== "object" || body === null) return false;
  const flat = ["platform", "accountId", "content", "mediaPaths", "publicationType", "privacyLevel", "chatId"].some(
    (name) => name in body,
  );
  return flat && "publications" in body ? undefined : flat;
}

/** The problem of a body that mixes both shapes. */
export const mixedBodyProblem: Problem = {
  path: "publications",
  message: "cannot be combined with the fields of the flat body",
  rule: "body.mixed",
};
