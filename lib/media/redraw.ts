import { readFile, writeFile } from "node:fs/promises";
import { discard, stageBy } from "../storage";
import { lookAt } from "./look";
import { UnusableFile } from "./unusable";
import { inWorkshop } from "./workshop";

/**
 * An image drawn anew as a PNG that fits into a box, in the process for files of others: nothing but its pixels is left. It
 * is never enlarged.
 * @throws UnusableFile where the bytes are no whole image
 */
export async function redrawn(bytes: Uint8Array, box: { width: number; height: number }): Promise<Buffer> {
  const { file: original } = await stageBy((path) => writeFile(path, bytes, { mode: 0o600 }));
  try {
    const { contentType, width = 0, height = 0 } = await lookAt(original.path);
    if (!contentType.startsWith("image/"))
      throw new UnusableFile("unsupported", `file is no image: the type found is ${contentType}`);
    const scale = Math.min(1, box.width / width, box.height / height);
    const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
    const recipe = { contentType: "image/png" as const, width: side(width), height: side(height) };
    const { file } = await stageBy((to) => inWorkshop("convert", { path: original.path, recipe, to }));
    return await readFile(file.path).finally(() => discard(file));
  } finally {
    await discard(original);
  }
}
