import { type ImageLimits, type Limits, MB, type TextLimit, type VideoLimits } from "../limits";

/** `PinCreate` in the OpenAPI file; JSON Schema counts code points. */
const text: TextLimit = { max: 800, unit: "code points" };
const settings = {
  title: { max: 100, unit: "code points" },
  link: { max: 2048, unit: "code points" },
  altText: { max: 500, unit: "code points" },
} satisfies { [name: string]: TextLimit };

/** WebP and GIF are answered with 400; the size is what public clients hold to. */
const image: ImageLimits = { types: ["image/jpeg", "image/png"], maxBytes: 20 * MB };

/** help.pinterest.com/en/business/article/video-pins */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  maxBytes: 2048 * MB,
  seconds: { min: 4, max: 900 },
  ratio: { min: 0.5, max: 1.91 },
};

/** Every Pin needs media, so there is no text alone. */
export const limits = {
  settings,
  image: { text, settings, image },
  carousel: { text, settings, image, count: { min: 2, max: 5 } },
  video: { text, settings, video, cover: image },
} satisfies { [format: string]: Limits | typeof settings };
