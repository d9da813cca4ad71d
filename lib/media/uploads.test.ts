import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, media } from "../db";
import { as, connectAccount, jpeg, newOwner, readResponse } from "../testing";
import { nameInKey, withGrants } from "./testing/grants";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const { mine, server, grant, confirm, uploaded } = withGrants();

test("M9: a grant has a key, method, URL, headers and expiry", async () => {
  const bytes = await jpeg();
  const before = Date.now();
  const granted = await grant(bytes, "žluťoučký 🐎.JPG");
  expect(granted).toEqual({
    key: expect.stringMatching(new RegExp(`^${mine.owner}/${UUID}\\.jpg$`)),
    method: "PUT",
    url: expect.stringMatching(/^http/),
    headers: {
      "Content-Type": "image/jpeg",
      "x-amz-meta-size-bytes": String(bytes.length),
      "x-amz-meta-filename": encodeURIComponent("žluťoučký 🐎.JPG"),
    },
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  const window = Date.parse(granted.expiresAt) - before;
  expect(window).toBeGreaterThan(590_000);
  expect(window).toBeLessThan(610_000);
});

test("the longest name fits into the 256 bytes of metadata that every store accepts, and the file keeps it whole", async () => {
  const filename = `${"鐘".repeat(251)}.jpg`;
  const { key, headers } = await uploaded(await jpeg(40, 30), filename);
  expect(headers["x-amz-meta-filename"]?.length).toBeLessThanOrEqual(256);
  expect(decodeURIComponent(headers["x-amz-meta-filename"] ?? "")).toBe("鐘".repeat(28));
  expect(await confirm(key)).toMatchObject([200, { filename }]);
});

test("confirm returns the same each time, by key or object name", async () => {
  const bytes = await jpeg(40, 30);
  const { key } = await uploaded(bytes, "Sommer.png");
  const [status, body] = await confirm(key);
  expect([status, body]).toEqual([
    200,
    {
      key: nameInKey(key),
      path: key,
      filename: "Sommer.png",
      contentType: "image/jpeg",
      sizeBytes: bytes.length,
      url: expect.any(String),
    },
  ]);
  const sameBut = { ...(body as object), url: expect.any(String) };
  const again = [await confirm(key), await confirm(nameInKey(key))];
  expect(again).toEqual([
    [200, sameBut],
    [200, sameBut],
  ]);
  // The address changes once an hour, so at most once during this test.
  const urls = [body, ...again.map(([, repeated]) => repeated)].map((one) => (one as { url: string }).url);
  expect(new Set(urls).size).toBeLessThan(urls.length);
  const served = await server.get((body as { url: string }).url);
  expect(sha256(await served.bytes())).toBe(sha256(bytes));
  expect(served.headers.get("content-type")).toBe("image/jpeg");
});

test("eight concurrent confirms create one medium", async () => {
  const { key } = await uploaded(await jpeg());
  const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(key)));
  expect(answers.map(([status]) => status)).toEqual(answers.map(() => 200));
  expect(await db.select().from(media).where(eq(media.key, key))).toHaveLength(1);
});

test("the same 404 if nothing was uploaded, for someone else's key and for an unknown one", async () => {
  const { key } = await grant(await jpeg());
  const foreign = await uploaded(await jpeg());
  const never = `${mine.owner}/${randomUUID()}.jpg`;
  expect(await confirm(key)).toEqual([404, { error: `Media not found: ${key}` }]);
  expect(await confirm(foreign.key, as(await newOwner()))).toEqual([404, { error: `Media not found: ${foreign.key}` }]);
  expect(await confirm(never)).toEqual([404, { error: `Media not found: ${never}` }]);
});

test("a key without an upload cannot be scheduled", async () => {
  const { key } = await grant(await jpeg());
  const { id } = await connectAccount(mine.owner, "X_TWITTER");
  const posts = [{ content: "a", attachmentPaths: [key] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
  const [status, body] = await readResponse(
    mine.caller.post("/v1/posts", { scheduledTime: "2030-01-01T00:00:00Z", publications }),
  );
  expect([status, body]).toEqual([400, { error: expect.stringContaining("file has not been uploaded yet") }]);
});

test("404 when confirming a deleted medium", async () => {
  const { key } = await uploaded(await jpeg());
  expect((await confirm(key))[0]).toBe(200);
  expect((await mine.caller.delete(`/v1/media/${nameInKey(key)}`)).status).toBe(204);
  expect((await confirm(key))[0]).toBe(404);
});

test.each<[what: string, change: object, status: number, error: string | RegExp]>([
  ["a file above 100 MB", { sizeBytes: 104_857_601 }, 413, "file is too large: the maximum is 100 MB"],
  [
    "a file of more bytes than JavaScript can count",
    { sizeBytes: 1e18 },
    413,
    "file is too large: the maximum is 100 MB",
  ],
  ["an empty file", { sizeBytes: 0 }, 400, /^sizeBytes /],
  ["a size that is not whole", { sizeBytes: 1.5 }, 400, /^sizeBytes /],
  ["no size", { sizeBytes: undefined }, 400, "sizeBytes cannot be null"],
  ["no name", { filename: undefined }, 400, "filename cannot be null"],
  ["an empty name", { filename: "" }, 400, /^filename /],
  ["a name of 300 characters", { filename: `${"a".repeat(296)}.jpg` }, 400, /^filename /],
  ["a name with a line break", { filename: "a\r\nX-Evil: 1.jpg" }, 400, "filename contains a control character"],
  ["a name with U+0000", { filename: "a\0.jpg" }, 400, /^filename /],
  ["a folder without a name", { filename: "../" }, 400, "filename does not contain a file name"],
  ["a name of white space", { filename: "a/ \u00a0" }, 400, "filename does not contain a file name"],
  ["an invalid type", { contentType: "picture" }, 400, /^contentType /],
  ["a type with a line break", { contentType: "image/jpeg\r\nX-Evil: 1" }, 400, /^contentType /],
])("M9: %s is not granted", async (_, change, status, error) => {
  const asked = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 3, ...change };
  const answer = await readResponse(as(await newOwner()).post("/v1/media/upload/urls", asked));
  expect(answer).toEqual([status, { error: typeof error === "string" ? error : expect.stringMatching(error) }]);
});

test.each([
  ["../../etc/passwd.PNG", "png"],
  ["a.tar.gz", "gz"],
  ["a.🐎", "bin"],
  ["a.a-very-long-extension", "bin"],
  ["noextension", "bin"],
])("M9: the key of %j ends in %j", async (filename, extension) => {
  const owner = await newOwner();
  const [status, body] = await readResponse(
    as(owner).post("/v1/media/upload/urls", { filename, contentType: "image/png", sizeBytes: 3 }),
  );
  expect(status).toBe(200);
  expect((body as { key: string }).key).toMatch(new RegExp(`^${owner}/[0-9a-f-]{36}\\.${extension}$`));
});
