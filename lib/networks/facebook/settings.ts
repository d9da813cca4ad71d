import { z } from "zod";

/** SPEC: the default is FEED; `REEL` is an alias of `REELS`. */
export const settings = z.strictObject({
  publicationType: z
    .preprocess((value) => (value === "REEL" ? "REELS" : value), z.enum(["FEED", "REELS", "STORY"]))
    .default("FEED")
    .meta({ description: "Where it appears on the Page; `REEL` is an alias of `REELS`" }),
});

export type FacebookSettings = z.output<typeof settings>;
