import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { inWorkshop } from ".";

const MILLION = 1_000_000;
const plain = () => sharp({ create: { width: 40, height: 30, channels: 3, background: "#c8785a" } });
const times = (bytes: Uint8Array, count: number) => Buffer.alloc(bytes.length * count, bytes);
const box = (type: string, content: Uint8Array = Buffer.alloc(0)) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};
const FILE_TYPE = box("ftyp", Buffer.from("isom\0\0\0\0isom", "latin1"));
const nested = (depth: number): Buffer => {
  const all = times(Buffer.from("\0\0\0\0mdia", "latin1"), depth);
  for (let level = 0; level < depth; level += 1) all.writeUInt32BE((depth - level) * 8, level * 8);
  return all;
};

/** A TIFF with this many further pages, each a copy of the first one's directory. */
async function pagesOf(count: number): Promise<Buffer> {
  const page = await plain().tiff().toBuffer();
  const directory = page.readUInt32LE(4);
  const next = directory + 2 + page.readUInt16LE(directory) * 12;
  const copies = times(page.subarray(directory, next + 4), count);
  const size = copies.length / count;
  for (let n = 1; n <= count; n += 1) copies.writeUInt32LE(n === count ? 0 : page.length + n * size, n * size - 4);
  page.writeUInt32LE(page.length, next);
  return Buffer.concat([page, copies]);
}

/** An animated WebP with this many further frames. */
async function framesOf(count: number): Promise<Buffer> {
  const pixels = Buffer.alloc(8 * 16 * 3).map((_, i) => (i * 31) % 256);
  const webp = await sharp(pixels, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .webp()
    .toBuffer();
  const at = webp.indexOf("ANMF", 0, "latin1");
  const size = webp.readUInt32LE(at + 4);
  const all = Buffer.concat([webp, times(webp.subarray(at, at + 8 + size + (size % 2)), count)]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

/** The beginning of a Matroska file with a segment of unknown size. */
const MATROSKA = Buffer.from("1a45dfa38b4282886d6174726f736b61" + "18538067ff", "hex");

async function look(bytes: Uint8Array) {
  const path = join(tmpdir(), `carillon-many-${randomUUID()}`);
  await writeFile(path, bytes);
  try {
    return await inWorkshop("look", { path }, { ownerId: "anyone", lane: "intake" });
  } finally {
    await rm(path);
  }
}

describe("t31: a file of millions of parts is refused with their limit, before a reader walks through them", () => {
  test.each<[what: string, make: () => Promise<Buffer> | Buffer, says: string]>([
    [
      "an 8 MB MP4 of a million empty boxes",
      () => Buffer.concat([FILE_TYPE, box("moov"), times(box("free"), MILLION)]),
      "more than 250,000 boxes",
    ],
    [
      "an MP4 with a million boxes in its index",
      () => Buffer.concat([FILE_TYPE, box("moov", times(box("free"), MILLION))]),
      "its index has more than 10,000 boxes",
    ],
    [
      "an MP4 with boxes nested a hundred deep",
      () => Buffer.concat([FILE_TYPE, box("moov", nested(100))]),
      "nested more than 16 levels deep",
    ],
    [
      "a Matroska file of a million empty elements",
      () => Buffer.concat([MATROSKA, times(Buffer.from([0xec, 0x80]), MILLION)]),
      "more than 250,000 elements",
    ],
    [
      "an AVIF with a million empty boxes",
      async () => Buffer.concat([await plain().avif({ effort: 0 }).toBuffer(), times(box("free"), MILLION)]),
      "more than 20,000 boxes",
    ],
    ["a TIFF of 200,000 pages", () => pagesOf(200_000), "more than 1,000 pages"],
    ["a WebP of 100,000 frames", () => framesOf(100_000), "more than 10,000 chunks"],
  ])("%s", async (_, make, says) => {
    await expect(look(await make())).rejects.toThrow(says);
  });

  test("a film with one fragment of a few boxes per frame is read like any other", async () => {
    const film = Buffer.concat([mp4(), times(box("moof", box("mfhd", Buffer.alloc(8))), 2_000)]);
    expect(await look(film)).toMatchObject({ contentType: "video/mp4" });
  });
});
