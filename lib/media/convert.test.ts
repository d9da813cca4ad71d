import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, mediaConversions } from "../db";
import { env } from "../env";
import { store } from "../storage";
import { as, jpeg, newOwner, nobody, told, upload } from "../testing";
import { addressOf } from "./address";
import { converted } from "./convert";
import { convert } from "./convert-here";
import { type Media, mediaOf, openMedia } from "./media";
import type { Recipe } from "./recipe";
import { UnusableFile } from "./unusable";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-convert-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function made(image: Sharp | Buffer, recipe: Recipe): Promise<Buffer> {
  const [path, to] = [join(folder, `from-${count}`), join(folder, `to-${count++}`)];
  await writeFile(path, Buffer.isBuffer(image) ? image : await image.toBuffer());
  const conversion = await convert({ path, recipe, to });
  const bytes = await readFile(to);
  expect(conversion).toMatchObject({ contentType: recipe.contentType, sizeBytes: bytes.length });
  return bytes;
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#3366cc" } });
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "grey", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  });

describe("a conversion", () => {
  test("turns the picture upright and drops its metadata", async () => {
    const turned = plain(60, 40)
      .withExif({ IFD0: { Artist: "somebody" } })
      .withMetadata({ orientation: 6 })
      .jpeg();
    const bytes = await made(turned, { contentType: "image/jpeg", width: 40, height: 60 });
    const found = await sharp(bytes).metadata();
    expect([found.width, found.height, found.orientation, found.exif]).toEqual([40, 60, undefined, undefined]);
    expect(bytes.includes("somebody")).toBe(false);
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

  test("makes what is transparent white", async () => {
    const clear = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const bytes = await made(clear.png(), { contentType: "image/jpeg", width: 20, height: 20 });
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test("keeps within the bytes, with less quality first and then with fewer pixels", async () => {
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

  test("gives the same bytes each time", async () => {
    const source = await noise(200, 100).png().toBuffer();
    const recipe = { contentType: "image/jpeg", width: 150, height: 75 } as const;
    expect((await made(source, recipe)).equals(await made(source, recipe))).toBe(true);
  });
});

describe("what a medium was converted to", () => {
  const recipe = { contentType: "image/jpeg", width: 100, height: 50 } as const;
  async function medium(): Promise<{ item: Media; owner: string }> {
    const owner = await newOwner();
    const [, body] = await told(upload(as(owner), await jpeg(200, 100), "Sommer.PNG"));
    const [item] = (await mediaOf(owner, [(body as { path: string }).path])).values();
    if (!item) throw new Error("the medium is not there");
    return { item, owner };
  }
  const rowsOf = (item: Media) => db.select().from(mediaConversions).where(eq(mediaConversions.mediaId, item.id));

  test("is made once, also when it is wanted four times at once, and can be opened and addressed", async () => {
    const { item } = await medium();
    const all = await Promise.all(Array.from({ length: 4 }, () => converted(item, recipe)));
    const again = await converted(item, recipe);
    expect(new Set([...all, again].map(({ id }) => id)).size).toBe(1);
    expect(await rowsOf(item)).toHaveLength(1);
    expect(again).toMatchObject({ contentType: "image/jpeg", filename: "Sommer.jpg", width: 100, height: 50 });
    const bytes = Buffer.from(await new Response(await openMedia(again)).arrayBuffer());
    expect(bytes.length).toBe(again.sizeBytes);
    const served = await nobody.get(addressOf(again.id).slice(env.appUrl.length));
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("is removed with it", async () => {
    const { item, owner } = await medium();
    const conversion = await converted(item, recipe);
    expect((await as(owner).delete(`/v1/media/${item.key.split("/")[1]}`)).status).toBe(204);
    expect(await rowsOf(item)).toEqual([]);
    expect(await store.read(`objects/${conversion.id}`)).toBeUndefined();
    expect((await nobody.get(addressOf(conversion.id).slice(env.appUrl.length))).status).toBe(404);
    await expect(converted(item, recipe)).rejects.toThrow("missing from the store");
  });
});
