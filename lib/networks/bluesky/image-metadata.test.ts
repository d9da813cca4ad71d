import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { withoutMetadata } from "./image-metadata";

const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: "#3366cc" } });
const place = { IFD0: { Make: "SecretCamera", ImageDescription: "at home" }, IFD3: { GPSLatitude: "52/1 30/1 0/1" } };

test("removes camera metadata and keeps the pixels", async () => {
  const before = await picture.clone().withExif(place).jpeg().toBuffer();
  expect(before.includes("SecretCamera")).toBe(true);
  const after = withoutMetadata(before);
  expect([after.includes("SecretCamera"), after.includes("at home"), (await sharp(after).metadata()).exif]).toEqual([
    false,
    false,
    undefined,
  ]);
  expect(await sharp(after).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
});

test.each([3, 6, 8])("keeps the orientation (%i) and nothing else", async (orientation) => {
  const before = await picture.clone().withExif(place).withMetadata({ orientation }).jpeg().toBuffer();
  const after = withoutMetadata(before);
  expect((await sharp(after).metadata()).orientation).toBe(orientation);
  expect(after.includes("SecretCamera")).toBe(false);
});

test("removes XMP, IPTC and comments, and keeps the colour profile", async () => {
  const jpeg = await picture.clone().withIccProfile("p3").jpeg().toBuffer();
  const segment = (marker: number, text: string) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(text.length + 2, 2);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const extra = [
    segment(0xe1, "http://ns.adobe.com/xap/1.0/ secret"),
    segment(0xed, "secret"),
    segment(0xfe, "secret"),
  ];
  const after = withoutMetadata(Buffer.concat([jpeg.subarray(0, 2), ...extra, jpeg.subarray(2)]));
  expect(after.equals(jpeg)).toBe(true);
  expect((await sharp(after).metadata()).icc).toBeDefined();
});

describe.each(["png", "webp"] as const)("a %s", (format) => {
  const withMetadata = () => picture.clone().withExif(place).withXmp("<x:xmpmeta>secret</x:xmpmeta>");

  test("keeps only its pixels and orientation", async () => {
    const before = await withMetadata().toFormat(format).toBuffer();
    expect([before.includes("SecretCamera"), (await sharp(before).metadata()).xmp === undefined]).toEqual([
      true,
      false,
    ]);
    const after = withoutMetadata(before);
    const { exif, xmp } = await sharp(after).metadata();
    expect([exif, xmp, after.includes("SecretCamera"), after.includes("xmpmeta")]).toEqual([
      undefined,
      undefined,
      false,
      false,
    ]);
    expect(await sharp(after).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
  });

  test.each([3, 6, 8])("keeps the orientation (%i)", async (orientation) => {
    const before = await withMetadata().withMetadata({ orientation }).toFormat(format).toBuffer();
    const after = withoutMetadata(before);
    expect([(await sharp(after).metadata()).orientation, after.includes("SecretCamera")]).toEqual([orientation, false]);
  });

  test("is returned unchanged without metadata", async () => {
    const bare = await picture.clone().toFormat(format).toBuffer();
    expect(withoutMetadata(bare).equals(bare)).toBe(true);
    const profiled = await picture.clone().withIccProfile("p3").toFormat(format).toBuffer();
    expect(withoutMetadata(profiled).equals(profiled)).toBe(true);
  });
});

test("returns other and truncated files unchanged", async () => {
  const gif = await picture.clone().gif().toBuffer();
  expect(withoutMetadata(gif).equals(gif)).toBe(true);
  const broken = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff]);
  expect(withoutMetadata(broken).equals(broken)).toBe(true);
});
