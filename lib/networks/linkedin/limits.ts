import { type AnimationLimits, type ImageLimits, type Limits, MB, type TextLimit, type VideoLimits } from "../limits";

/** Which unit is not documented, nor whether escapes count; this is the stricter of the two usual ones. */
const text: TextLimit = { max: 3000, unit: "UTF-16 units" };

/** learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api: fewer than 36,152,320 pixels. */
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/gif"],
  maxPixels: 36_152_319,
};
const animation: AnimationLimits = { ...image, types: ["image/gif"], maxFrames: 250 };

/** …/shares/videos-api */
const video: VideoLimits = {
  types: ["video/mp4"],
  minBytes: 75 * 1024,
  maxBytes: 500 * MB,
  seconds: { min: 3, max: 1800 },
};

export const limits = {
  text: { text: { ...text, required: true } },
  image: { text, image, animation },
  carousel: { text, image, animation, count: { min: 2, max: 20 } },
  video: { text, video, cover: image },
} satisfies { [format: string]: Limits };
