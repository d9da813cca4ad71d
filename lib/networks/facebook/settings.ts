import { z } from "zod";
import { parseUrl } from "../../env/parse-url";
import { firstComment } from "../comment";
import { documentation } from "../network";

export const FEED = "https://developers.facebook.com/docs/graph-api/reference/page/feed";

/** The texts of the button that Facebook documents for link posts without reserving them for advertisements ("Page Post call_to_action"). */
const CALLS_TO_ACTION = [
  "BOOK_TRAVEL",
  "DOWNLOAD",
  "LEARN_MORE",
  "LISTEN_MUSIC",
  "SIGN_UP",
  "USE_APP",
  "WATCH_MORE",
  "WATCH_VIDEO",
] as const;

/** Carillon's own limit; Facebook documents none. */
const LINK_MAX = 2048;

/** SPEC: the default is FEED; `REEL` is an alias of `REELS`. The other fields are optional additions. */
export const settings = z.strictObject({
  publicationType: z
    .preprocess((value) => (value === "REEL" ? "REELS" : value), z.enum(["FEED", "REELS", "STORY"]))
    .default("FEED")
    .meta({ description: "Where it appears on the Page; `REEL` is an alias of `REELS`" }),
  placeId: z
    .string()
    .regex(/^\d+$/, "must be the digits of a Page's ID")
    .optional()
    .meta({
      description: "The ID of a Facebook Page with a location, for texts, photos and reels",
    })
    .register(documentation, { source: FEED }),
  link: z
    .string()
    .max(LINK_MAX, `must have at most ${LINK_MAX} characters`)
    .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "must be an http or https URL")
    .optional()
    .meta({
      description: "The link of a text's card, or of a feed video's button. A text's first link is the default",
    })
    .register(documentation, { source: FEED, lengthSource: null }),
  callToAction: z
    .enum(CALLS_TO_ACTION)
    .optional()
    .meta({ description: "The button that leads to the link, for texts and feed videos" })
    .register(documentation, { source: FEED }),
  firstComment,
});

export type FacebookSettings = z.output<typeof settings>;
