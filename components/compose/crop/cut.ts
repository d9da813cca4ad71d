import type { Box } from "./box";
import { cropWords } from "./words";

/** Kinds that a browser can write; another becomes a JPEG, which every network takes. */
const WRITTEN: { [contentType: string]: string } = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" };
const QUALITY = 0.92;

/**
 * A part of a picture as a file of its own, upright as it is shown.
 * @throws Error where the browser cannot write it
 */
export async function cut(image: HTMLImageElement, box: Box, name: string, contentType: string): Promise<File> {
  const type = WRITTEN[contentType] ? contentType : "image/jpeg";
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: box.width, height: box.height });
  const { x, y, width, height } = box;
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  if (!blob) throw new Error(cropWords.window.tooLarge);
  return new File([blob], cropWords.window.fileName(name.replace(/\.\w+$/, ""), WRITTEN[type] ?? ""), { type });
}
