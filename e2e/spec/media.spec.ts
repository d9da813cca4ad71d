import sharp from "sharp";
import { type Api, type Fields, fileForm, told } from "./client";
import { expect, onX, picture, soon, test, unique, upload } from "./service";
import { type ErrorBody, expectError, expectNoNull, type List, type Schedule, STORAGE_KEY, ZULU } from "./shapes";

type Grant = { key: string; method: string; url: string; headers: Fields; expiresAt: string };
type Confirmed = { key: string; path: string; filename: string; contentType: string; sizeBytes: number; url: string };
type Job = { id: number; state: string; s3Key?: string; errorCode?: string | null; errorMessage?: string | null };

const URLS = "/v1/media/upload/urls";
const CONFIRM = "/v1/media/upload/confirm";
const IMPORT = "/v1/media/upload/import";
const MB = 1_048_576;

type Sharp = ReturnType<typeof sharp>;

const formats: { [type: string]: (image: Sharp) => Sharp } = {
  "image/jpeg": (image) => image.jpeg(),
  "image/png": (image) => image.png(),
  "image/webp": (image) => image.webp(),
  "image/gif": (image) => image.gif(),
  "image/avif": (image) => image.avif(),
  "image/tiff": (image) => image.tiff(),
};

function imageOf(type: string): Promise<Buffer> {
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: "#883311" } });
  return (formats[type]?.(image) ?? image).toBuffer();
}

test.describe("SPEC, Endpoints: Media", () => {
  test("POST /v1/media/upload takes one part named file and returns { path } as <owner_uuid>/<object_uuid>.<ext>", async ({
    service,
  }) => {
    const { api } = await service.user();
    const body = fileForm(await picture(), "Photo.JPG");
    const answer = await api.send<{ path: string }>("POST", "/v1/media/upload", { body });
    expect([answer.status, answer.body]).toEqual([200, { path: expect.stringMatching(STORAGE_KEY) }]);
    expect(answer.body.path).toMatch(/\.jpg$/);
  });

  test("an upload without a part named file, not multipart, empty or of an unusable file returns 400 with the reason", async ({
    service,
  }) => {
    const { api } = service.person;
    const send = (body: FormData | string) => api.send("POST", "/v1/media/upload", { body });
    expectError(await send(fileForm(await picture(), "a.jpg", "image")), 400, /file/);
    expectError(await send("not multipart"), 400, /file/);
    expectError(await send(fileForm(Buffer.alloc(0), "a.jpg")), 400, /file is empty/);
    expectError(await send(fileForm(Buffer.from("just text"), "a.jpg")), 400, /text\/plain/);
    expectError(
      await send(fileForm((await picture()).subarray(0, 300), "a.jpg")),
      400,
      /corrupt or incomplete.*image\/jpeg/,
    );
  });

  for (const type of Object.keys(formats)) {
    test(`${type} is accepted under any file name, because the type comes from the bytes and not from the key`, async ({
      service,
    }) => {
      const { api } = await service.user();
      const path = await upload(api, await imageOf(type), "named.mp4");
      expect(path).toMatch(/\.mp4$/);
      const { items } = (await api.get<List<Confirmed>>("/v1/media")).body;
      expect(items).toMatchObject([{ path, contentType: type, filename: "named.mp4" }]);
    });
  }

  test("GET /v1/media lists the owner's files, and url serves the bytes with nosniff, a fixed type and no script", async ({
    service,
  }) => {
    const { api } = await service.user();
    const bytes = await picture();
    const path = await upload(api, bytes, "a picture.jpg");
    const { status, body } = await api.get<List<Confirmed>>("/v1/media");
    expect([status, body]).toMatchObject([
      200,
      {
        items: [
          {
            key: path.split("/")[1],
            path,
            filename: "a picture.jpg",
            contentType: "image/jpeg",
            sizeBytes: bytes.length,
            url: expect.stringMatching(/^http/),
          },
        ],
        nextCursor: null,
      },
    ]);
    const served = await fetch(body.items[0]?.url ?? "");
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    expect(served.headers.get("content-type")).toBe("image/jpeg");
    expect(served.headers.get("x-content-type-options")).toBe("nosniff");
    expect(served.headers.get("content-security-policy")).toMatch(/sandbox|script-src 'none'|default-src 'none'/);
  });

  test("DELETE /v1/media/{key} returns 204, 409 while an unfinished schedule uses the file, and 404 for another owner's file", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER");
    const path = await upload(user.api);
    const key = path.split("/")[1] ?? "";
    const publications = [onX(user.account("X_TWITTER"), unique(), { attachmentPaths: [path] })];
    const made = await user.api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications });
    expectError(await service.person.api.delete(`/v1/media/${key}`), 404, `Media not found: ${key}`);
    expectError(await user.api.delete(`/v1/media/${key}`), 409);
    expect((await user.api.delete(`/v1/posts/${made.body.id}`)).status).toBe(204);
    expect(await told(user.api.delete(`/v1/media/${key}`))).toEqual([204, undefined]);
    expectError(await user.api.delete(`/v1/media/${key}`), 404, `Media not found: ${key}`);
    expectError(await user.api.post("/v1/posts", { scheduledTime: soon(), publications }), 400, /attachmentPaths\[0\]/);
  });

  test("a direct upload of 100 MB plus one byte returns 413 and names the maximum", async ({ service }) => {
    test.slow();
    const big = Buffer.alloc(100 * MB + 1);
    const answer = await service.person.api.send("POST", "/v1/media/upload", { body: fileForm(big, "big.mp4") });
    expectError(answer, 413, /100 MB/);
  });

  /** A grant for these bytes. */
  async function grantFor(api: Api, bytes: Uint8Array, filename = "Holiday photo.jpg"): Promise<Grant> {
    const body = { filename, contentType: "image/jpeg", sizeBytes: bytes.length };
    const answer = await api.post<Grant>(URLS, body);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  async function put({ url, method, headers }: Grant, bytes: Uint8Array, more: Fields = {}): Promise<number> {
    return (await fetch(url, { method, headers: { ...headers, ...more }, body: new Uint8Array(bytes) })).status;
  }

  test("an upload grant has key, method PUT, url, headers with Content-Type and two metadata headers, and expiresAt in UTC", async ({
    service,
  }) => {
    const bytes = await picture();
    const grant = await grantFor(service.person.api, bytes);
    expect(grant).toMatchObject({
      key: expect.stringMatching(STORAGE_KEY),
      method: "PUT",
      url: expect.stringMatching(/^http/),
    });
    const names = Object.keys(grant.headers).map((name) => name.toLowerCase());
    expect(names).toContain("content-type");
    expect(names.filter((name) => name.includes("meta"))).toHaveLength(2);
    expect(Object.values(grant.headers)).toContain(String(bytes.length));
    expect(grant.expiresAt).toMatch(ZULU);
    const window = (Date.parse(grant.expiresAt) - Date.now()) / 60_000;
    expect(window).toBeGreaterThan(1);
    expect(window).toBeLessThanOrEqual(60);
  });

  test("a PUT with the grant's method and headers returns 200, and the signature is bound to them", async ({
    service,
  }) => {
    const bytes = await picture();
    const { api } = service.person;
    const grant = await grantFor(api, bytes);
    expect(await put(grant, bytes, { "content-type": "text/html" })).toBeGreaterThanOrEqual(400);
    const elsewhere = grant.url.replace(/[0-9a-f](?=\.jpg)/, (digit) => (digit === "0" ? "1" : "0"));
    expect(await put({ ...grant, url: elsewhere }, bytes)).toBe(403);
    expectError(await api.post(CONFIRM, { key: grant.key }), 404);
    expect(await put(grant, bytes)).toBe(200);
  });

  test("confirm returns the issued key as path, filename, contentType from the bytes, sizeBytes and url, also when repeated", async ({
    service,
  }) => {
    const { api } = await service.user();
    const bytes = await imageOf("image/png");
    const grant = await grantFor(api, bytes);
    expect(await put(grant, bytes)).toBe(200);
    const { status, body } = await api.post<Confirmed>(CONFIRM, { key: grant.key });
    expect([status, body]).toMatchObject([
      200,
      {
        key: grant.key.split("/")[1],
        path: grant.key,
        filename: "Holiday photo.jpg",
        contentType: "image/png",
        sizeBytes: bytes.length,
        url: expect.stringMatching(/^http/),
      },
    ]);
    expectNoNull(body);
    const { url: _, ...again } = (await api.post<Confirmed>(CONFIRM, { key: grant.key })).body;
    expect(body).toMatchObject(again);
    expectError(await service.person.api.post(CONFIRM, { key: grant.key }), 404);
  });

  test("confirm is optional: a post accepts the key of an unconfirmed upload", async ({ service }) => {
    const user = await service.user("X_TWITTER");
    const bytes = await picture();
    const grant = await grantFor(user.api, bytes);
    expect(await put(grant, bytes)).toBe(200);
    const publications = [onX(user.account("X_TWITTER"), unique(), { attachmentPaths: [grant.key] })];
    const { status, body } = await user.api.post<Schedule>("/v1/posts", { scheduledTime: soon(), publications });
    expect([status, body.overallStatus]).toEqual([201, "SCHEDULED"]);
  });

  test("confirm of a corrupt file or one that is not an image or video returns 400 with the type, and so does scheduling it", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER");
    for (const [bytes, type] of [
      [Buffer.from("<html><script>alert(1)</script></html>"), /text\/html/],
      [(await picture()).subarray(0, 300), /image\/jpeg/],
    ] as const) {
      const grant = await grantFor(user.api, bytes);
      expect(await put(grant, bytes)).toBe(200);
      const refused = await user.api.post<ErrorBody>(CONFIRM, { key: grant.key });
      expectError(refused, 400, type);
      const publications = [onX(user.account("X_TWITTER"), unique(), { attachmentPaths: [grant.key] })];
      expectError(
        await user.api.post("/v1/posts", { scheduledTime: soon(), publications }),
        400,
        /attachmentPaths\[0\]/,
      );
    }
  });

  test("a grant for more than 100 MB returns 413 with the maximum, and an invalid request returns 400", async ({
    service,
  }) => {
    const { api } = service.person;
    const good = { filename: "a.mp4", contentType: "video/mp4", sizeBytes: 100 * MB };
    expect((await api.post(URLS, good)).status).toBe(200);
    expectError(await api.post(URLS, { ...good, sizeBytes: 100 * MB + 1 }), 413, /100 MB/);
    for (const name of ["filename", "contentType", "sizeBytes"]) {
      expectError(await api.post(URLS, { ...good, [name]: undefined }), 400, `${name} cannot be null`);
    }
    for (const sizeBytes of [0, -1, 1.5, "10"])
      expectError(await api.post(URLS, { ...good, sizeBytes }), 400, /sizeBytes/);
  });

  /** Starts an import and returns it once it has ended. */
  async function imported(api: Api, url: string): Promise<Job> {
    const { status, body } = await api.post<Job>(IMPORT, { url, filenameHint: "hint.jpg" });
    expect([status, body]).toMatchObject([202, { id: expect.any(Number), state: "QUEUED" }]);
    const read = async () => (await api.get<Job>(`${IMPORT}/${body.id}`)).body;
    const ends = /^(READY|FAILED_PERMANENT)$/;
    await expect.poll(async () => (await read()).state, { intervals: [100] }).toMatch(ends);
    return read();
  }

  test("an import returns 202 { id, state: QUEUED }, and at READY its s3Key is accepted in attachmentPaths", async ({
    service,
  }) => {
    const user = await service.user("X_TWITTER");
    const bytes = await picture();
    const sourceUrl = service.files.serve(`/${unique()}.jpg`, bytes);
    const job = await imported(user.api, sourceUrl);
    expect(job).toMatchObject({
      id: expect.any(Number),
      state: "READY",
      sourceUrl,
      bytesDownloaded: bytes.length,
      totalBytes: bytes.length,
      detectedMime: "image/jpeg",
      s3Key: expect.stringMatching(STORAGE_KEY),
    });
    expect([job.errorCode ?? null, job.errorMessage ?? null]).toEqual([null, null]);
    const publications = [onX(user.account("X_TWITTER"), unique(), { attachmentPaths: [job.s3Key] })];
    expect((await user.api.post("/v1/posts", { scheduledTime: soon(), publications })).status).toBe(201);
    expectError(await service.person.api.get(`${IMPORT}/${job.id}`), 404);
  });

  test("an import that fails permanently has errorCode HTTP_STATUS, UNSUPPORTED_TYPE, CORRUPT_FILE or BLOCKED_ADDRESS", async ({
    service,
  }) => {
    const { api } = await service.user();
    const { files } = service;
    for (const [url, errorCode] of [
      [files.address(`/${unique()}`), "HTTP_STATUS"],
      [files.serve(`/${unique()}`, Buffer.from("just text")), "UNSUPPORTED_TYPE"],
      [files.serve(`/${unique()}`, (await picture()).subarray(0, 300)), "CORRUPT_FILE"],
      ["http://127.0.0.1:8080/a.jpg", "BLOCKED_ADDRESS"],
      ["http://169.254.169.254/latest/meta-data", "BLOCKED_ADDRESS"],
    ] as const) {
      const job = await imported(api, url);
      expect([url, job]).toMatchObject([
        url,
        { state: "FAILED_PERMANENT", errorCode, errorMessage: expect.stringMatching(/./) },
      ]);
    }
  });

  test("filenameHint is optional, and only an http or https url is accepted", async ({ service }) => {
    const { api } = await service.user();
    expectError(await api.post(IMPORT, {}), 400, "url cannot be null");
    const url = service.files.serve(`/${unique()}.jpg`, await picture());
    expect((await api.post(IMPORT, { url })).status).toBe(202);
    for (const wrong of ["ftp://example.com/a.jpg", "file:///etc/passwd", "nowhere"]) {
      expectError(await api.post(IMPORT, { url: wrong }), 400, /^url/);
    }
  });
});
