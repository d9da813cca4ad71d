import { z } from "zod";
import { firstComment } from "../comment";
import { UPLOAD_POST } from "../limits";
import { documentation } from "../network";

/** LinkedIn documents no limit for the title of a document; another service states this one for titles. */
export const DOCUMENT_TITLE_MAX = 400;

const POSTS = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api";

/** From SPEC; the default PUBLIC is from DECISIONS. */
export const settings = z.strictObject({
  visibility: z
    .enum(["PUBLIC", "CONNECTIONS", "GROUP"])
    .default("PUBLIC")
    .meta({ description: "Who can see it. `GROUP` is accepted but fails: LinkedIn's API no longer posts to groups" }),
  firstComment,
  documentTitle: z
    .string()
    .trim()
    .min(1, "cannot be empty")
    .max(DOCUMENT_TITLE_MAX, `must have at most ${DOCUMENT_TITLE_MAX} UTF-16 units`)
    .optional()
    .meta({ description: "The title above a PDF document. By default the file's name" })
    .register(documentation, { source: POSTS, lengthSource: UPLOAD_POST }),
});

export type LinkedInSettings = z.output<typeof settings>;
