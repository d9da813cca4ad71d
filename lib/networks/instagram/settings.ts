import { z } from "zod";

/** SPEC: the default is FEED; `REEL` is an alias of `REELS`. */
export const settings = z.strictObject({
  publicationType: z
    .preprocess((value) => (value === "REEL" ? "REELS" : value), z.enum(["FEED", "REELS", "STORY"]))
    .default("FEED")
    .meta({ description: "Where it appears; `REEL` is an alias of `REELS`" }),
  aiContent: z.boolean().default(false).meta({ description: "Labels the post as made with AI" }),
});

export type InstagramSettings = z.output<typeof settings>;
