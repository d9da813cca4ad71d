import { type ImageLimits, type Limits, MB, type TextLimit, type VideoLimits } from "../limits";

/** `PinCreate` in the OpenAPI file. */
const source = "https://github.com/pinterest/api-description/blob/main/v5/openapi.yaml";
/** JSON Schema counts code points. */
const text: TextLimit = { max: 800, unit: "code points" };
const settings = {
  title: { max: 100, unit: "code points", source },
  link: { max: 2048, unit: "code points", source },
  altText: { max: 500, unit: "code points", source },
} satisfies { [name: string]: TextLimit };

/** Pinterest answers WebP and GIF with 400. The maximum size is the one that public clients use. */
const cover: ImageLimits = { types: ["image/jpeg", "image/png"], maxBytes: 20 * MB };
const image: ImageLimits = { ...cover, altText: settings.altText };

const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime"],
  codecs: ["avc", "hevc"],
  maxBytes: 2048 * MB,
  seconds: { min: 4, max: 900 },
  // "Shorter than 1:2, taller than 1.91:1."
  ratio: { min: 0.5, max: 1.91, isOpen: true },
  altText: settings.altText,
  source: "https://help.pinterest.com/en/business/article/pinterest-product-specs",
};

/** Every Pin needs media, so there is no text format. */
export const limits = {
  settings,
  image: { text, settings, image, source },
  carousel: { text, settings, image, count: { min: 2, max: 5 }, coverIsAttached: true, source },
  video: { text, settings, video, cover, source },
} satisfies { [format: string]: Limits | typeof settings };
