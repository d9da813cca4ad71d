import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnusableFile } from "./file-errors";
import type { ImageRecipe } from "./recipe";
import { convertImage } from "./workshop/convert-image";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-convert-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function made(image: Sharp | Buffer, recipe: ImageRecipe): Promise<Buffer> {
  const [path, to] = [join(folder, `from-${count}`), join(folder, `to-${count++}`)];
  await writeFile(path, Buffer.isBuffer(image) ? image : await image.toBuffer());
  const conversion = await convertImage({ path, recipe, to });
  const bytes = await readFile(to);
  expect(conversion).toMatchObject({ contentType: recipe.contentType, sizeBytes: bytes.length });
  return bytes;
}

const plain = (width: number, height: number, background = "#3366cc") =>
  sharp({ create: { width, height, channels: 3, background } });
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "grey", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  });

describe("a conversion", () => {
  test("turns the picture upright and drops its metadata", async () => {
    // The left half is red. Turned a quarter to the right, as EXIF orientation 6 means, that is the upper half.
    const red = { input: await plain(30, 40, "#ff0000").png().toBuffer(), left: 0, top: 0 };
    const turned = plain(60, 40)
      .composite([red])
      .withExif({ IFD0: { Artist: "somebody" } })
      .withMetadata({ orientation: 6 })
      .jpeg();
    const bytes = await made(turned, { contentType: "image/jpeg", width: 40, height: 60 });
    const found = await sharp(bytes).metadata();
    expect([found.width, found.height, found.orientation, found.exif]).toEqual([40, 60, undefined, undefined]);
    expect(bytes.includes("somebody")).toBe(false);
    const pixels = await sharp(bytes).raw().toBuffer();
    const redness = [pixels[0] ?? 0, pixels.at(-3) ?? 255];
    expect(redness.map((value) => value > 150)).toEqual([true, false]);
  });

  test.each<[what: string, image: () => Sharp]>([
    ["PNG", () => plain(50, 30).png()],
    ["WebP", () => plain(50, 30).webp()],
    ["GIF", () => plain(50, 30).gif()],
    ["AVIF", () => plain(50, 30).avif()],
    ["TIFF", () => plain(50, 30).tiff()],
    ["a PNG of 16 bits", () => plain(50, 30).toColourspace("rgb16").png()],
    ["a CMYK JPEG", () => plain(50, 30).toColourspace("cmyk").jpeg()],
    ["a grey PNG", () => plain(50, 30).greyscale().png()],
  ])("of %s is a JPEG of the same pixels and colours", async (_, image) => {
    const source = image();
    const bytes = await made(source, { contentType: "image/jpeg", width: 50, height: 30 });
    const found = await sharp(bytes).metadata();
    expect(found).toMatchObject({ format: "jpeg", width: 50, height: 30, space: "srgb" });
    const [was, is] = await Promise.all(
      [await source.toBuffer(), bytes].map((one) => sharp(one).toColourspace("srgb").removeAlpha().raw().toBuffer()),
    );
    const pixel = (buffer?: Buffer) => Number(buffer?.[1]);
    expect(Math.abs(pixel(was) - pixel(is))).toBeLessThanOrEqual(12);
  });

  test("makes transparent areas white", async () => {
    const clear = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const bytes = await made(clear.png(), { contentType: "image/jpeg", width: 20, height: 20 });
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test("stays below the byte limit, by reducing first the quality and then the size", async () => {
    const source = await noise(400, 300).png().toBuffer();
    const recipe = { contentType: "image/jpeg", width: 400, height: 300 } as const;
    const full = await made(source, recipe);
    const less = await made(source, { ...recipe, maxBytes: full.length - 1 });
    expect(less.length).toBeLessThan(full.length);
    expect(await sharp(less).metadata()).toMatchObject({ width: 400, height: 300 });
    const fewer = await made(source, { ...recipe, maxBytes: 9_000 });
    expect(fewer.length).toBeLessThanOrEqual(9_000);
    const { width = 0, height = 0 } = await sharp(fewer).metadata();
    expect(width).toBeLessThan(400);
    expect(width / height).toBeCloseTo(4 / 3, 1);
    await expect(made(source, { ...recipe, maxBytes: 100 })).rejects.toThrow(UnusableFile);
  });

  test("is deterministic", async () => {
    const source = await noise(200, 100).png().toBuffer();
    const recipe = { contentType: "image/jpeg", width: 150, height: 75 } as const;
    expect((await made(source, recipe)).equals(await made(source, recipe))).toBe(true);
  });
});
