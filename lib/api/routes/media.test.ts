import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { db, media } from "../../db";
import { env } from "../../env";
import { addressOf } from "../../media";
import { as, type Client, formOf, jpeg, newOwner, nobody, told, upload } from "../../testing";

const MB = 1_048_576;
let owner: string;
let caller: Client;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
});

/** A body of which the caller decides when and what comes. */
const streamed = (body: ReadableStream, headers: { [name: string]: string } = {}) =>
  caller.request("/v1/media/upload", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b", ...headers },
    body,
    duplex: "half",
  } as RequestInit & { headers: { [name: string]: string } });
const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';

/** Nothing of this test's own is left in the store: every staged file is gone, or belongs to an upload that goes on. */
async function nothingStaged(before: Set<string>): Promise<void> {
  await vi.waitFor(async () => expect((await staged()).filter((name) => !before.has(name))).toEqual([]), {
    timeout: 10_000,
  });
}
async function staged(): Promise<string[]> {
  return readdir(join(env.dataDir, "objects", "staged")).catch(() => []);
}

describe("200: the type is read from the bytes, and the key comes from the declared name", () => {
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
    const [status, body] = await told(upload(caller, file, name));
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

  test("is served by its signed address only, as its detected type, whole or in ranges", async () => {
    const file = await jpeg();
    const [, body] = await told(upload(caller, file));
    const [row] = await db
      .select()
      .from(media)
      .where(eq(media.key, (body as { path: string }).path));
    const id = row?.id ?? "";
    const path = addressOf(id).slice(env.appUrl.length);
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
    expect(await told(nobody.get(`/media/${id}`))).toEqual(absent);
    expect(await told(caller.get(`/media/${id}`))).toEqual(absent);
    expect(await told(nobody.get(path.replace("&s=", "&s=A")))).toEqual(absent);
  });
});

describe("400, and nothing of it is kept", () => {
  const NEITHER = "file is neither an image nor a video that can be published: the type found is";
  const CORRUPT = "file is corrupt or incomplete: the type found is";
  const cut = async (format: "png" | "webp") =>
    await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: "#336699",
        noise: { type: "gaussian", mean: 100, sigma: 30 },
      },
    })
      .toFormat(format)
      .toBuffer();

  test.each<[what: string, bytes: () => Promise<Uint8Array> | Uint8Array, name: string, says: string]>([
    ["a truncated JPEG", async () => (await jpeg()).subarray(0, -200), "a.jpg", `${CORRUPT} image/jpeg`],
    ["a truncated PNG", async () => (await cut("png")).subarray(0, -2000), "a.png", `${CORRUPT} image/png`],
    ["a truncated WebP", async () => (await cut("webp")).subarray(0, -1000), "a.webp", `${CORRUPT} image/webp`],
    [
      "an SVG",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "a.svg",
      `${NEITHER} application/xml`,
    ],
    [
      "an SVG with a prologue",
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      "a.png",
      `${NEITHER} application/xml`,
    ],
    ["text named .jpg", () => Buffer.from("hello"), "a.jpg", `${NEITHER} text/plain`],
    ["HTML named .png", () => Buffer.from("<!doctype html><script>1</script>"), "a.png", `${NEITHER} text/html`],
    ["a PDF", () => Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"), "a.pdf", `${NEITHER} application/pdf`],
    [
      "a playlist named .mp4",
      () => Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
      "a.mp4",
      `${NEITHER} application/vnd.apple.mpegurl`,
    ],
    [
      "an MP4 cut in half",
      () => mp4().subarray(0, 600),
      "a.mp4",
      "file is corrupt or incomplete (its box moov is cut): the type found is video/mp4",
    ],
    ["an empty file", () => Buffer.alloc(0), "a.jpg", "file is empty"],
  ])("%s", async (_, bytes, name, says) => {
    const before = new Set(await staged());
    const [status, body] = await told(upload(caller, await bytes(), name));
    if (says.endsWith("application/xml")) {
      expect([status, (body as { error: string }).error]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${NEITHER} `)),
      ]);
    } else expect([status, body]).toEqual([400, { error: says }]);
    await nothingStaged(before);
  });

  test("a picture whose header claims more pixels than may be decoded, within five seconds", async () => {
    const bomb = await sharp({ create: { width: 17_000, height: 10, channels: 3, background: "#000" } })
      .png()
      .toBuffer();
    expect(await told(upload(caller, bomb, "a.png"))).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^file is too large a picture: 17000 x 10 pixels, .* \(the type found is image\/png\)$/,
        ),
      },
    ]);
  });

  test("two files, however small, and nothing of either is kept", async () => {
    const before = new Set(await staged());
    const file = await jpeg(10, 10);
    const send = () => {
      const body = formOf({ bytes: file, filename: "a.jpg" }, { bytes: file, filename: "b.jpg" });
      return told(caller.request("/v1/media/upload", { method: "POST", body }));
    };
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers).toEqual(Array(10).fill([400, { error: "file is given twice: send one file a request" }]));
    await nothingStaged(before);
  });

  test("no file, another name, no multipart, no body, and a boundary that never comes", async () => {
    const absent = { error: "file cannot be null: the body has no part of that name" };
    const multipart = { error: "file cannot be null: send multipart/form-data with one part named file" };
    const post = (init: RequestInit) => told(caller.request("/v1/media/upload", { method: "POST", ...init } as object));
    expect(await post({ body: formOf({ bytes: await jpeg(), filename: "a.jpg", name: "image" }) })).toEqual([
      400,
      absent,
    ]);
    expect(await post({ body: "{}", headers: { "content-type": "application/json" } })).toEqual([400, multipart]);
    expect(await post({})).toEqual([400, multipart]);
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=zzz"]) {
      const [status, body] = await post({ body: "--b\r\n\r\n--b--", headers: { "content-type": type } });
      expect([status, body], type).toEqual([400, { error: expect.stringMatching(/^file /) }]);
    }
  });

  test("a connection that is cut leaves nothing staged", async () => {
    const before = new Set(await staged());
    for (let round = 0; round < 5; round++) {
      let sent = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (sent++ < round) controller.enqueue(Buffer.from(sent === 1 ? PART : "x".repeat(1000)));
          else controller.error(new Error("cut"));
        },
      });
      const [status] = await told(streamed(body));
      expect(status, `cut after ${round}`).toBe(400);
    }
    await nothingStaged(before);
  });

  test("a body that ends in the middle of the file", async () => {
    const before = new Set(await staged());
    const body = new Blob([PART, "x".repeat(1000)]).stream();
    expect((await told(streamed(body)))[0]).toBe(400);
    await nothingStaged(before);
  });
});

describe("413 naming 100 MB", () => {
  const SAYS = [413, { error: "file is too large: the maximum is 100 MB" }];

  test("declared: before the body is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(Buffer.from(PART));
      },
    });
    expect(await told(streamed(body, { "content-length": String(101 * MB) }))).toEqual(SAYS);
    expect(pulled).toBeLessThanOrEqual(2);
  });

  test("streamed without a length: as soon as the limit is passed, and nothing is kept", async () => {
    const before = new Set(await staged());
    const chunk = Buffer.alloc(MB);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 0) controller.enqueue(Buffer.from(PART));
        if (sent++ < 110) controller.enqueue(chunk);
        else controller.close();
      },
    });
    expect(await told(streamed(body))).toEqual(SAYS);
    await nothingStaged(before);
  });
});
