import {
  type AnimationLimits,
  type DocumentLimits,
  type ImageLimits,
  type Limits,
  MB,
  type TextLimit,
  type VideoLimits,
} from "../limits";

const SHARES = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares";
const source = `${SHARES}/posts-api`;

/** LinkedIn documents neither the unit nor whether escapes count; this is the stricter of the two usual units. */
const text: TextLimit = { max: 3000, unit: "UTF-16 units" };

/** LinkedIn recommends fewer than 120. */
const altText: TextLimit = { max: 4086, unit: "UTF-16 units" };

/** Fewer than 36,152,320 pixels. */
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/gif"],
  maxPixels: 36_152_319,
  source: `${SHARES}/images-api`,
};
const described = { ...image, altText: { ...altText, source } };
const animation: AnimationLimits = { ...described, types: ["image/gif"], maxFrames: 250 };

const video: VideoLimits = {
  types: ["video/mp4"],
  minBytes: 75 * 1024,
  maxBytes: 500 * MB,
  seconds: { min: 3, max: 1800 },
  source: `${SHARES}/videos-api`,
};

/** LinkedIn also takes PPT(X) and DOC(X), whose pages are counted only by LinkedIn. */
const document: DocumentLimits = {
  maxBytes: 100 * MB,
  maxPages: 300,
  source: `${SHARES}/documents-api`,
};

export const limits = {
  text: { text: { ...text, required: true }, source },
  image: { text, image: described, animation, source },
  carousel: { text, image: described, animation, count: { min: 2, max: 20 }, source: `${SHARES}/multiimage-post-api` },
  video: { text, video, cover: image, source },
  document: { text, document, source },
} satisfies { [format: string]: Limits };
