import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, media } from "../db";
import { as, type Client, jpeg, newOwner, readResponse, upload } from "../testing";

const LARGEST = 100 * 1_048_576;
let owner: string;
let caller: Client;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
});

/** A picture of exactly this many bytes. Bytes after the end of a JPEG belong to the file but not to the picture. */
async function pictureOf(bytes: number): Promise<Buffer> {
  const file = Buffer.alloc(bytes);
  file.set(await jpeg());
  return file;
}

describe("100 MB is the largest file", () => {
  test("accepts exactly that", async () => {
    const [status, body] = await readResponse(upload(caller, await pictureOf(LARGEST)));
    expect([status, body]).toEqual([200, { path: expect.any(String) }]);
    const stored = await db.select().from(media).where(eq(media.ownerId, owner));
    expect(stored).toMatchObject([{ sizeBytes: LARGEST, contentType: "image/jpeg" }]);
  });

  test("rejects one byte more", async () => {
    const answer = await readResponse(upload(caller, await pictureOf(LARGEST + 1)));
    expect(answer).toEqual([413, { error: "file is too large: the maximum is 100 MB" }]);
  });
});

describe("a rejection names the type of a file without a signature, whatever its name says", () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[what: string, bytes: string | number[], name: string, type: string]>([
    ["an SVG", SVG, "a.svg", "image/svg+xml"],
    ["an SVG behind a prologue", `<?xml version="1.0" encoding="UTF-8"?>\n${SVG}`, "a.png", "image/svg+xml"],
    [
      "an SVG behind a prologue, comments and a doctype",
      `<?xml version="1.0"?>\n<!-- one -->\n<!-- two -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">\n${SVG}`,
      "a.jpg",
      "image/svg+xml",
    ],
    ["an SVG behind a byte order mark", `\ufeff\n ${SVG}`, "a.svg", "image/svg+xml"],
    ["other XML", '<?xml version="1.0"?><rss/>', "a.xml", "application/xml"],
    ["HTML", "<!doctype html><title>a</title>", "a.html", "text/html"],
    ["HTML in capitals, behind empty lines", "\r\n\r\n<!DOCTYPE HTML><TITLE>a</TITLE>", "a.png", "text/html"],
    ["HTML without a doctype", "<html><body>a</body></html>", "a.jpg", "text/html"],
    ["a script", "<script>alert(1)</script>", "a.gif", "text/html"],
    ["a playlist", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "a.m3u8", "application/vnd.apple.mpegurl"],
    ["a playlist named .mp4", "#EXTM3U\n#EXTINF:1,\na.ts\n", "a.mp4", "application/vnd.apple.mpegurl"],
    ["plain text", "hello", "a.txt", "text/plain"],
    ["text in another script, named .jpg", "žluťoučký kůň", "a.jpg", "text/plain"],
    ["bytes that are nothing known", [1, 0, 2, 0, 3], "a.jpg", "application/octet-stream"],
  ])("%s", async (_, bytes, name, type) => {
    const answer = await readResponse(upload(caller, Buffer.from(bytes as string), name));
    const error = `file is neither an image, a video nor a PDF that can be published: the type found is ${type}`;
    expect(answer).toEqual([400, { error }]);
  });
});
