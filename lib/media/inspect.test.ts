import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { mp4 } from "../../sandbox/testing/mp4";
import { pdf } from "../../sandbox/testing/pdf";
import { UnusableFile } from "./file-errors";
import { type InspectedFile, inspectFile } from "./inspect";
import { chunk, PNG_SIGNATURE, pngHeader } from "./testing/png";

async function look(bytes: Uint8Array): Promise<InspectedFile> {
  const path = join(tmpdir(), `carillon-look-${randomUUID()}`);
  await writeFile(path, bytes);
  try {
    return await inspectFile(path, "anyone");
  } finally {
    await rm(path);
  }
}

const plain = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 120, b: 90 } } });
const noise = (): Sharp =>
  sharp({
    create: {
      width: 200,
      height: 150,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });

/** A small PNG file of an enormous one-colour picture with one bit per pixel. */
function bomb(side: number): Buffer {
  const rows = deflateSync(Buffer.alloc(Math.min(side * (Math.ceil(side / 8) + 1), 320_000_000)), { level: 9 });
  return Buffer.concat([PNG_SIGNATURE, pngHeader(side, side), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** A film whose packets contain no pictures. That is enough for code that reads the container. */
async function film(format: WebMOutputFormat | MkvOutputFormat): Promise<Buffer> {
  const output = new Output({ format, target: new BufferTarget() });
  const source = new EncodedVideoPacketSource("vp8");
  output.addVideoTrack(source, { frameRate: 25 });
  await output.start();
  for (let n = 0; n < 50; n++) {
    const packet = new EncodedPacket(new Uint8Array(400).fill(n + 1), n % 25 === 0 ? "key" : "delta", n / 25, 1 / 25);
    await source.add(packet, { decoderConfig: { codec: "vp8", codedWidth: 320, codedHeight: 240 } });
  }
  await output.finalize();
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
}

const frames = (count: number, side = 8) =>
  sharp(
    Buffer.alloc(side * side * count * 3, 0).map((_, i) => (i * 31) % 256),
    {
      raw: { width: side, height: side * count, channels: 3, pageHeight: side },
    },
  );

describe("facts from the bytes", () => {
  test.each<[what: string, bytes: () => Promise<Uint8Array>, says: object]>([
    ["a JPEG", () => plain(640, 480).jpeg().toBuffer(), { contentType: "image/jpeg", width: 640, height: 480 }],
    [
      "a JPEG that is stored turned",
      () => plain(640, 480).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
      { width: 480, height: 640, details: expect.objectContaining({ orientation: 6 }) },
    ],
    ["a PNG", () => plain(30, 20).png().toBuffer(), { contentType: "image/png", width: 30, height: 20 }],
    ["a WebP", () => plain(30, 20).webp().toBuffer(), { contentType: "image/webp" }],
    ["an AVIF", () => plain(64, 64).avif({ effort: 0 }).toBuffer(), { contentType: "image/avif" }],
    ["a TIFF", () => plain(30, 20).tiff().toBuffer(), { contentType: "image/tiff" }],
    [
      "a GIF of three frames",
      () => frames(3).gif().toBuffer(),
      { contentType: "image/gif", width: 8, height: 8, details: expect.objectContaining({ frames: 3 }) },
    ],
    [
      "an MP4",
      async () => mp4({ width: 720, height: 1280, seconds: 2, fps: 24 }),
      {
        contentType: "video/mp4",
        width: 720,
        height: 1280,
        durationSeconds: 2,
        details: { frameRate: 24, videoCodec: "avc", hasAudio: false, index: "front" },
      },
    ],
    [
      "an MP4 of 2.4 seconds, not a moment more",
      async () => mp4({ seconds: 2.4, fps: 25 }),
      { contentType: "video/mp4", durationSeconds: 2.4 },
    ],
    [
      "an MP4 of 61 frames at 29.97 a second, to the millisecond",
      async () => mp4({ seconds: 61 / 29.97, fps: 29.97 }),
      { contentType: "video/mp4", durationSeconds: 2.035 },
    ],
    [
      "a WebM",
      () => film(new WebMOutputFormat()),
      {
        contentType: "video/webm",
        width: 320,
        height: 240,
        durationSeconds: 2,
        details: { frameRate: 25, videoCodec: "vp8", hasAudio: false },
      },
    ],
    ["an MKV", () => film(new MkvOutputFormat()), { contentType: "video/x-matroska", durationSeconds: 2 }],
  ])("%s", async (_, make, says) => {
    expect(await look(await make())).toMatchObject(says);
  });

  test("an image has an upright thumbnail and a small placeholder", async () => {
    const turned = await plain(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { thumbnail, details } = await look(turned);
    const { format, width, height, orientation } = await sharp(thumbnail).metadata();
    expect({ format, width, height, orientation }).toEqual({
      format: "webp",
      width: 160,
      height: 320,
      orientation: undefined,
    });
    expect(details.placeholder?.length).toBeLessThan(500);
  });
});

describe("M4: pictures that are too large are rejected by their header", () => {
  test("a 300 KB file that claims 50,000 x 50,000 pixels, without using the memory for them", async () => {
    const file = bomb(50_000);
    const before = process.memoryUsage().rss;
    await expect(look(file)).rejects.toThrow("file is a picture that is too large: 50000 x 50000 pixels");
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  test("one pixel above the maximum side", async () => {
    await expect(look(await plain(16_385, 1).png().toBuffer())).rejects.toThrow("16385 x 1 pixels");
    expect(await look(await plain(16_384, 1).png().toBuffer())).toMatchObject({ width: 16_384 });
  });

  test("301 frames", async () => {
    await expect(look(await frames(301).gif().toBuffer())).rejects.toThrow(
      "file is an animation that is too long: 301 frames",
    );
    expect(await look(await frames(300).gif().toBuffer())).toMatchObject({ details: { frames: 300 } });
  });
});

describe("M7: incomplete files are rejected", () => {
  const makers: [what: string, make: () => Promise<Uint8Array>][] = [
    ["JPEG", () => noise().jpeg().toBuffer()],
    ["PNG", () => noise().png().toBuffer()],
    ["WebP", () => noise().webp().toBuffer()],
    ["GIF", () => noise().gif().toBuffer()],
    ["animated GIF", () => frames(5, 32).gif().toBuffer()],
    ["animated WebP", () => frames(5, 32).webp().toBuffer()],
    ["AVIF", () => noise().avif({ effort: 0 }).toBuffer()],
    ["TIFF", () => noise().tiff({ compression: "lzw" }).toBuffer()],
    ["MP4", async () => mp4()],
    ["MP4 with its index behind", async () => mp4({ isFastStart: false })],
    ["WebM", () => film(new WebMOutputFormat())],
    ["MKV", () => film(new MkvOutputFormat())],
  ];
  describe.each(makers)("%s", (_, make) => {
    test.each([0.1, 0.3, 0.5, 0.7, 0.9, 0.97])("cut at %d of its length", async (share) => {
      const whole = await make();
      await expect(look(whole.subarray(0, Math.floor(whole.length * share)))).rejects.toThrow(UnusableFile);
    });
  });

  test.each(makers.slice(-4))("%s with extra bytes at its end, which may be another file", async (_, make) => {
    const zip = Buffer.from("PK\x03\x04 a file that begins where the film ends");
    await expect(look(Buffer.concat([await make(), zip]))).rejects.toThrow(/bytes after|is incomplete/);
  });

  test("an empty one", async () => {
    await expect(look(Buffer.alloc(0))).rejects.toThrow("the type found is application/octet-stream");
  });
});

describe("a PDF", () => {
  test.each([
    ["plain objects", { pages: 300 }, 300],
    ["packed objects", { pages: 301, isPacked: true }, 301],
  ])("its pages are counted: %s", async (_, shape, pages) => {
    expect(await look(Buffer.from(pdf(shape)))).toEqual({ contentType: "application/pdf", details: { pages } });
  });

  test("the last version counts if the file was changed", async () => {
    const changed = Buffer.concat([pdf({ pages: 9 }), pdf({ pages: 4 })]);
    expect(await look(changed)).toMatchObject({ details: { pages: 4 } });
  });

  test.each([
    ["cut in half", Buffer.from(pdf({ pages: 20 })).subarray(0, 900), "is corrupt or incomplete"],
    ["without pages", Buffer.from(pdf({ pages: 0 })), "it has no pages"],
    ["with a password", Buffer.from(pdf({ isLocked: true })), "is protected by a password"],
  ])("is refused: %s", async (_, bytes, reason) => {
    await expect(look(bytes)).rejects.toThrow(reason);
  });

  test("that was made to be slow is refused in time", async () => {
    const bytes = Buffer.from(`%PDF-1.7\n${"/Pages /ObjStm obj ".repeat(400_000)}%%EOF\n`);
    await expect(look(bytes)).rejects.toThrow("the type found is application/pdf");
  });
});

describe("M1: the type of other files is named", () => {
  test.each<[type: string, bytes: string | number[]]>([
    ["application/zip", [0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, ...Array(40).fill(0)]],
    ["application/x-msdownload", [0x4d, 0x5a, 0x90, 0, ...Array(80).fill(0)]],
    ["image/bmp", [0x42, 0x4d, ...Array(60).fill(0)]],
    ["image/x-icon", [0, 0, 1, 0, 1, 0, 16, 16, ...Array(60).fill(0)]],
    ["audio/mpeg", [0xff, 0xfb, 0x90, 0x64, ...Array(600).fill(0)]],
    ["image/svg+xml", "<svg/>"],
    ["application/vnd.apple.mpegurl", "#EXTM3U\nhttp://127.0.0.1/a.ts"],
  ])("%s", async (type, bytes) => {
    const refused = look(Buffer.from(bytes as string));
    await expect(refused).rejects.toThrow(`the type found is ${type}`);
    await expect(refused).rejects.toMatchObject({ kind: "unsupported" });
  });
});
