import { writeFile } from "node:fs/promises";
import sharp, { type OutputInfo, type Sharp } from "sharp";
import { UnusableFile } from "../file-errors";
import type { Conversion, ImageRecipe, ImageType } from "../recipe";

/** JPEG and WebP qualities, tried in this order until the file is small enough. The first one has no visible loss. */
const QUALITIES = [90, 82, 74, 66];
/** If the lowest quality is still too large, the picture shrinks by this factor. */
const SMALLER = 0.8;
const LEAST_SIDE = 64;
const SECONDS = 20;
const MAX_PIXELS = 100_000_000;

/**
 * Converts an image: upright, in sRGB, without metadata, in the recipe's size, or smaller if its byte limit requires that.
 * The output is deterministic.
 * @throws UnusableFile if no such image can be made
 */
export async function convertImage(given: { path: string; recipe: ImageRecipe; to: string }): Promise<Conversion> {
  const { recipe, to, path } = given;
  let { width, height } = recipe;
  do {
    for (const quality of recipe.contentType === "image/png" ? [100] : QUALITIES) {
      const { data, info } = await encode(path, { ...recipe, width, height }, quality);
      if (recipe.maxBytes !== undefined && data.length > recipe.maxBytes) continue;
      await writeFile(to, data, { mode: 0o600, flag: "wx" });
      return { contentType: recipe.contentType, sizeBytes: data.length, width: info.width, height: info.height };
    }
    [width, height] = [Math.round(width * SMALLER), Math.round(height * SMALLER)];
  } while (Math.min(width, height) >= LEAST_SIDE);
  throw new UnusableFile("corrupt", `file cannot be made smaller than ${recipe.maxBytes} bytes`);
}

function encode(path: string, recipe: ImageRecipe, quality: number): Promise<{ data: Buffer; info: OutputInfo }> {
  const { width, height, contentType } = recipe;
  const upright = sharp(path, { limitInputPixels: MAX_PIXELS, sequentialRead: true })
    .autoOrient()
    .timeout({ seconds: SECONDS })
    .resize(width, height, { fit: "fill" })
    .toColourspace("srgb");
  return asType(upright, contentType, quality).toBuffer({ resolveWithObject: true });
}

function asType(image: Sharp, contentType: ImageType, quality: number): Sharp {
  switch (contentType) {
    case "image/jpeg":
      return image.flatten({ background: "white" }).jpeg({ quality });
    case "image/png":
      return image.png();
    case "image/webp":
      return image.webp({ quality });
  }
}
