import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { db, media } from "../../db";
import { env } from "../../env";
import { mediaAddress } from "../../media";
import { as, type Client, jpeg, newOwner, nobody, readResponse, upload } from "../../testing";

let owner: string;
let caller: Client;
beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
});

describe("200: the type is detected from the bytes, and the key's extension comes from the declared name", () => {
  const image = (format: "png" | "webp" | "gif" | "avif" | "tiff") =>
    sharp({ create: { width: 30, height: 20, channels: 3, background: "#336699" } })
      .toFormat(format)
      .toBuffer();

  test.each<[what: string, bytes: () => Promise<Uint8Array>, name: string, type: string, extension: string]>([
    ["a JPEG", () => jpeg(30, 20), "Holiday.JPG", "image/jpeg", "jpg"],
    ["a PNG", () => image("png"), "a.png", "image/png", "png"],
    ["a PNG named .txt", () => image("png"), "a.txt", "image/png", "txt"],
    ["a WebP", () => image("webp"), "a.webp", "image/webp", "webp"],
    ["a GIF", () => image("gif"), "a.gif", "image/gif", "gif"],
    ["an AVIF", () => image("avif"), "a.avif", "image/avif", "avif"],
    ["a TIFF without extension", () => image("tiff"), "scan", "image/tiff", "bin"],
    ["an MP4", async () => mp4({ width: 30, height: 20, seconds: 2 }), "a.mp4", "video/mp4", "mp4"],
    ["a name that would leave its folder", () => image("png"), "../../../etc/x.sh;rm -rf", "image/png", "bin"],
    ["a name of emoji", () => image("png"), "🦊".repeat(200), "image/png", "bin"],
  ])("%s", async (_, bytes, name, contentType, extension) => {
    const file = await bytes();
    const [status, body] = await readResponse(upload(caller, file, name));
    expect([status, body]).toEqual([
      200,
      { path: expect.stringMatching(new RegExp(`^${owner}/[0-9a-f-]{36}\\.${extension}$`)) },
    ]);
    const [row] = await db
      .select()
      .from(media)
      .where(eq(media.key, (body as { path: string }).path));
    expect(row).toMatchObject({ contentType, sizeBytes: file.length, width: 30, height: 20 });
    expect(row?.digest.equals(createHash("blake2b512").update(file).digest())).toBe(true);
    expect(row?.filename).toMatch(/^[^/\\]{1,255}$/);
  });
});

test("is served only by its signed address, as the detected type, whole or in ranges", async () => {
  const file = await jpeg();
  const [, body] = await readResponse(upload(caller, file));
  const [row] = await db
    .select()
    .from(media)
    .where(eq(media.key, (body as { path: string }).path));
  const id = row?.id ?? "";
  const path = mediaAddress(id).slice(env.appUrl.length);
  const answer = await nobody.get(path);
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/jpeg",
    "content-length": String(file.length),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  const part = await nobody.get(path, { range: "bytes=2-5" });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 2-5/${file.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(2, 6))).toBe(true);
  for (const range of [`bytes=${file.length}-`, "bytes=-0"]) {
    const beyond = await nobody.get(path, { range });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${file.length}`]);
  }
  for (const range of ["bytes=5-2", "bytes=a-b", "bytes=-", "bytes=0-1,3-4", "lines=1-2"]) {
    const whole = await nobody.get(path, { range });
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(file)], range).toEqual([200, true]);
  }
  const absent = [404, { error: `Media not found: ${id}` }];
  expect(await readResponse(nobody.get(`/media/${id}`))).toEqual(absent);
  expect(await readResponse(caller.get(`/media/${id}`))).toEqual(absent);
  expect(await readResponse(nobody.get(path.replace("&s=", "&s=A")))).toEqual(absent);
});
