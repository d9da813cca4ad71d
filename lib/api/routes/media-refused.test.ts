import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { as, type Client, formOf, jpeg, newOwner, nothingLeft, readResponse, unowned, upload } from "../../testing";

const MB = 1_048_576;
let caller: Client;
beforeAll(async () => {
  caller = as(await newOwner());
});

/** A body whose chunks the test controls. */
const streamed = (body: ReadableStream, headers: { [name: string]: string } = {}) =>
  caller.request("/v1/media/upload", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b", ...headers },
    body,
    duplex: "half",
  } as RequestInit & { headers: { [name: string]: string } });
const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';

describe("400, and nothing is stored", () => {
  const NEITHER = "file is neither an image, a video nor a PDF that can be published: the type found is";
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
      `${NEITHER} image/svg+xml`,
    ],
    [
      "an SVG with a prologue",
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      "a.png",
      `${NEITHER} image/svg+xml`,
    ],
    ["text named .jpg", () => Buffer.from("hello"), "a.jpg", `${NEITHER} text/plain`],
    ["HTML named .png", () => Buffer.from("<!doctype html><script>1</script>"), "a.png", `${NEITHER} text/html`],
    [
      "a PDF without pages",
      () => Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n"),
      "a.pdf",
      "file is corrupt or incomplete (it has no pages): the type found is application/pdf",
    ],
    ["a ZIP", () => Buffer.from(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(40)}`), "a.zip", `${NEITHER} application/zip`],
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
      "file is corrupt or incomplete (its box moov is incomplete): the type found is video/mp4",
    ],
    ["an empty file", () => Buffer.alloc(0), "a.jpg", "file is empty"],
  ])("%s", async (_, bytes, name, says) => {
    const before = await unowned();
    const [status, body] = await readResponse(upload(caller, await bytes(), name));
    expect([status, body]).toEqual([400, { error: says }]);
    await nothingLeft(before);
  });

  test("rejects a picture with too many pixels by its header, within five seconds", async () => {
    const bomb = await sharp({ create: { width: 17_000, height: 10, channels: 3, background: "#000" } })
      .png()
      .toBuffer();
    expect(await readResponse(upload(caller, bomb, "a.png"))).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^file is a picture that is too large: 17000 x 10 pixels, .* \(the type found is image\/png\)$/,
        ),
      },
    ]);
  });

  test("rejects two files, however small", async () => {
    const before = await unowned();
    const file = await jpeg(10, 10);
    const send = () => {
      const body = formOf({ bytes: file, filename: "a.jpg" }, { bytes: file, filename: "b.jpg" });
      return readResponse(caller.request("/v1/media/upload", { method: "POST", body }));
    };
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers).toEqual(Array(10).fill([400, { error: "file is given twice: send one file per request" }]));
    await nothingLeft(before);
  });

  test("rejects no file, another part name, another type, no body, and a missing boundary", async () => {
    const absent = { error: "file cannot be null: the body has no part of that name" };
    const multipart = { error: "file cannot be null: send multipart/form-data with one part named file" };
    const post = (init: RequestInit) =>
      readResponse(caller.request("/v1/media/upload", { method: "POST", ...init } as object));
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

  test("an interrupted connection leaves nothing staged", async () => {
    const before = await unowned();
    for (let round = 0; round < 5; round++) {
      let sent = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (sent++ < round) controller.enqueue(Buffer.from(sent === 1 ? PART : "x".repeat(1000)));
          else controller.error(new Error("cut"));
        },
      });
      const [status] = await readResponse(streamed(body));
      expect(status, `cut after ${round}`).toBe(400);
    }
    await nothingLeft(before);
  });

  test("rejects a body that ends in the middle of the file", async () => {
    const before = await unowned();
    const body = new Blob([PART, "x".repeat(1000)]).stream();
    expect((await readResponse(streamed(body)))[0]).toBe(400);
    await nothingLeft(before);
  });
});

describe("413 naming 100 MB", () => {
  const SAYS = [413, { error: "file is too large: the maximum is 100 MB" }];

  test("if declared, before the body is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(Buffer.from(PART));
      },
    });
    expect(await readResponse(streamed(body, { "content-length": String(101 * MB) }))).toEqual(SAYS);
    expect(pulled).toBeLessThanOrEqual(2);
  });

  test("if streamed without a length, as soon as the limit is exceeded", async () => {
    const before = await unowned();
    const chunk = Buffer.alloc(MB);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 0) controller.enqueue(Buffer.from(PART));
        if (sent++ < 110) controller.enqueue(chunk);
        else controller.close();
      },
    });
    expect(await readResponse(streamed(body))).toEqual(SAYS);
    await nothingLeft(before);
  });
});
