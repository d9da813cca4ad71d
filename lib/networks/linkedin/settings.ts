import { z } from "zod";
import { firstComment } from "../comment";

/** From SPEC; the default PUBLIC is from DECISIONS. */
export const settings = z.strictObject({
  visibility: z
    .enum(["PUBLIC", "CONNECTIONS", "GROUP"])
    .default("PUBLIC")
    .meta({ description: "Who can see it. `GROUP` is accepted but fails: LinkedIn's API no longer posts to groups" }),
  firstComment,
});

export type LinkedInSettings = z.output<typeof settings>;
