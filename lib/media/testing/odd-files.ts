import sharp from "sharp";
import { chunk, PNG_SIGNATURE, pngHeader } from "./png";

const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: "#c8785a" } });
const jpeg = () => plain.clone().jpeg().toBuffer();
const png = () => plain.clone().png().toBuffer();
const text = (content: string) => async () => Buffer.from(content, "latin1");
const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};
const ftyp = (brand: string) => box("ftyp", Buffer.from(`${brand}\0\0\0\0${brand}`, "latin1"));

type Expected = { type: string } | { refused: RegExp };
const as = (type: string): Expected => ({ type });
const found = (type: string): Expected => ({ refused: new RegExp(`the type found is ${type}`) });

/**
 * Files that claim one type and are another, are two types at once, or are malicious, each with the expected result and the
 * reason.
 */
export const oddFiles: [what: string, make: () => Promise<Buffer>, expected: Expected, because: string][] = [
  ["an SVG", text("<svg xmlns='http://www.w3.org/2000/svg'/>"), found("image/svg\\+xml"), "it can hold scripts"],
  ["a PDF", text("%PDF-1.7\n%âãÏÓ\n"), found("application/pdf"), "it has no pages"],
  ["HTML", text("<!doctype html><script>1</script>"), found("text/html"), "it is not a picture"],
  ["a playlist", text("#EXTM3U\nfile:///etc/passwd\n"), found("application/vnd.apple.mpegurl"), "it names other files"],
  ["a ZIP", text(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(40)}`), found("application/zip"), "it is not a picture"],
  ["a program for Windows", text(`MZ\x90${"\0".repeat(80)}`), found("application/x-msdownload"), "it is not a picture"],
  [
    "a program for Linux",
    text(`\x7fELF\x02\x01\x01${"\0".repeat(80)}`),
    found("application/x-elf"),
    "it is not a picture",
  ],
  ["an icon", text(`\0\0\x01\0\x01\0\x10\x10${"\0".repeat(60)}`), found("image/x-icon"), "not an accepted type"],
  [
    "a Photoshop file",
    text(`8BPS\0\x01${"\0".repeat(60)}`),
    found("image/vnd.adobe.photoshop"),
    "not an accepted type",
  ],
  [
    "a JPEG 2000",
    async () => Buffer.concat([box("jP  ", Buffer.from([13, 10, 0x87, 10])), ftyp("jp2 ")]),
    found("image/jp2"),
    "not an accepted type",
  ],
  ["a HEIC", async () => Buffer.concat([ftyp("heic"), Buffer.alloc(64)]), found("image/heic"), "not an accepted type"],
  ["a 3GP", async () => Buffer.concat([ftyp("3gp5"), Buffer.alloc(64)]), found("video/3gpp"), "not an accepted type"],
  ["a JPEG XL", text(`\xff\x0a${"\0".repeat(60)}`), found("image/jxl"), "not an accepted type"],
  ["gzip", text(`\x1f\x8b\x08${"\0".repeat(40)}`), found("application/gzip"), "an SVG may be inside"],
  ["nothing", text(""), found("application/octet-stream"), "it has no content"],
  ["zeros", async () => Buffer.alloc(5_000), found("application/octet-stream"), "it has no content"],
  [
    "the beginning of a JPEG, then HTML",
    text("\xff\xd8\xff\xe0<html><script>1</script>"),
    found("image/jpeg"),
    "there is no picture behind the signature",
  ],
  [
    "the beginning of a PNG, then HTML",
    text("\x89PNG\r\n\x1a\n<html><script>1</script>"),
    { refused: /the type found is/ },
    "there is no picture behind the signature",
  ],
  [
    "the beginning of a GIF, then script",
    text("GIF89a/*\0\0*/=1;alert(1)//;"),
    found("image/gif"),
    "there is no picture behind the signature",
  ],
  [
    "the beginning of a WebP, then HTML",
    text("RIFF\x24\0\0\0WEBPVP8 <html>"),
    found("image/webp"),
    "there is no picture behind the signature",
  ],
  [
    "the beginning of a TIFF, then nothing",
    text("II*\0\x08\0\0\0"),
    { refused: /./ },
    "there is no picture behind the signature",
  ],
  [
    "the beginning of an MP4, then HTML",
    async () => Buffer.concat([ftyp("isom"), Buffer.from("<html>")]),
    found("video/mp4"),
    "there is no film behind the signature",
  ],
  ["the beginning of an MP4 alone", async () => ftyp("isom"), found("video/mp4"), "it has no index"],
  [
    "the beginning of a Matroska, then HTML",
    text("\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x13\x42\x82\x84webm<html>"),
    { refused: /the type found is/ },
    "there is no film behind the signature",
  ],
  [
    "a JPEG with a ZIP behind it",
    async () => Buffer.concat([await jpeg(), Buffer.from("PK\x03\x04 and more")]),
    as("image/jpeg"),
    "cameras add bytes there; it is served as image/jpeg, so they are never anything else",
  ],
  [
    "a JPEG with HTML in its comment",
    async () =>
      Buffer.concat([
        (await jpeg()).subarray(0, 2),
        Buffer.from([0xff, 0xfe, 0, 31]),
        Buffer.from("<script>alert(document)</script>".slice(0, 29)),
        (await jpeg()).subarray(2),
      ]),
    as("image/jpeg"),
    "it is served as image/jpeg, unsniffed and without script",
  ],
  [
    "a ZIP with a JPEG behind it",
    async () => Buffer.concat([Buffer.from(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(40)}`, "latin1"), await jpeg()]),
    found("application/zip"),
    "it begins as a ZIP",
  ],
  [
    "HTML with a JPEG behind it",
    async () => Buffer.concat([Buffer.from("<html>"), await jpeg()]),
    found("text/html"),
    "it begins as HTML",
  ],
  [
    "a PDF with a JPEG behind it",
    async () => Buffer.concat([Buffer.from("%PDF-1.7\n"), await jpeg()]),
    found("application/pdf"),
    "it begins as a PDF",
  ],
  [
    "a GIF with script behind it",
    async () => Buffer.concat([await plain.clone().gif().toBuffer(), Buffer.from("*/=1;alert(1)//")]),
    found("image/gif"),
    "a GIF ends with its trailer",
  ],
  [
    "a film with HTML in a free box",
    async () => Buffer.concat([ftyp("isom"), box("free", Buffer.from("<script>1</script>"))]),
    found("video/mp4"),
    "it has no index",
  ],
  [
    "300 KB that claim 50,000 x 50,000 pixels",
    async () => bomb(50_000, 50_000),
    { refused: /a picture that is too large: 50000 x 50000/ },
    "2,500 megapixels, none of which are decoded",
  ],
  [
    "one that claims one pixel too many in width",
    async () => bomb(16_385, 1),
    { refused: /16385 x 1/ },
    "at most 16,384 a side",
  ],
  [
    "one that claims too many pixels in total",
    async () => bomb(10_001, 10_000),
    { refused: /10001 x 10000/ },
    "at most 100 megapixels",
  ],
  [
    "one that claims no pixels",
    async () => bomb(0, 10),
    { refused: /the type found is image\/png/ },
    "it has no content",
  ],
  [
    "one that claims more rows than it has",
    async () => Buffer.concat([PNG_SIGNATURE, pngHeader(200, 9_000), chunk("IEND", Buffer.alloc(0))]),
    { refused: /the type found is image\/png/ },
    "its rows are missing",
  ],
  [
    "a PNG whose checksum is wrong",
    async () => {
      const bytes = await png();
      bytes[29] = (bytes[29] ?? 0) ^ 1;
      return bytes;
    },
    { refused: /the type found is image\/png/ },
    "its header is damaged",
  ],
];

/** A one-bit PNG that claims this size and contains only some of the pixels. */
function bomb(width: number, height: number): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    chunk("IDAT", Buffer.alloc(1_000)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
