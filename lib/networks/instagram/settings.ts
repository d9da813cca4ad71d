import { z } from "zod";

/** SPEC: FEED where nothing is said; `REEL` is an alias of `REELS`. */
export const settings = z.strictObject({
  publicationType: z
    .preprocess((value) => (value === "REEL" ? "REELS" : value), z.enum(["FEED", "REELS", "STORY"]))
    .default("FEED"),
  aiContent: z.boolean().default(false),
});

export type InstagramSettings = z.output<typeof settings>;
