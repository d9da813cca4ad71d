import { createHash, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { db, media, uploads } from "../../db";
import { store, uploadOf } from "../../storage";
import { as, type Client, connect, jpeg, newOwner, postsOn, schedule, settled, told, withWorker } from "../../testing";
import { cleanUp } from "../clean-up";
import { withServer } from "./http";

type Grant = { key: string; method: string; url: string; headers: { [name: string]: string }; expiresAt: string };

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const nameOf = (key: string) => key.split("/")[1] ?? "";

/** Pre-signed PUT and confirm, word for word the same on either store. */
export function testUploads(isThere = true): void {
  describe.skipIf(!isThere)("pre-signed PUT and confirm", () => {
    withWorker();
    const server = withServer();
    let owner: string;
    let caller: Client;

    beforeAll(async () => {
      owner = await newOwner();
      caller = as(owner);
    });

    async function grant(bytes: Uint8Array, filename = "Sommer (1).JPG", contentType = "image/jpeg"): Promise<Grant> {
      const asked = { filename, contentType, sizeBytes: bytes.length };
      const [status, body] = await told(caller.post("/v1/media/upload/urls", asked));
      expect(status).toBe(200);
      return body as Grant;
    }
    const put = ({ url, headers }: Grant, body: Uint8Array) => server.ask(url, { method: "PUT", headers, body });
    const confirm = (key: string, client = caller) => told(client.post("/v1/media/upload/confirm", { key }));
    async function uploaded(bytes: Uint8Array, filename?: string): Promise<Grant> {
      const granted = await grant(bytes, filename);
      expect(await put(granted, bytes)).toBe(200);
      return granted;
    }

    test("M9: a grant names key, method, address, headers and end", async () => {
      const bytes = await jpeg();
      const before = Date.now();
      const granted = await grant(bytes, "žluťoučký 🐎.JPG");
      expect(granted).toEqual({
        key: expect.stringMatching(new RegExp(`^${owner}/${UUID}\\.jpg$`)),
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

    test("confirm answers what the bytes are, the same each time, by the key or its object name", async () => {
      const bytes = await jpeg(40, 30);
      const { key } = await uploaded(bytes, "Sommer.png");
      const [status, body] = await confirm(key);
      expect([status, body]).toEqual([
        200,
        {
          key: nameOf(key),
          path: key,
          filename: "Sommer.png",
          contentType: "image/jpeg",
          sizeBytes: bytes.length,
          url: expect.any(String),
        },
      ]);
      const sameBut = { ...(body as object), url: expect.any(String) };
      expect(await confirm(key)).toEqual([200, sameBut]);
      expect(await confirm(nameOf(key))).toEqual([200, sameBut]);
      const served = await server.get((body as { url: string }).url);
      expect(sha256(await served.bytes())).toBe(sha256(bytes));
      expect(served.headers.get("content-type")).toBe("image/jpeg");
    });

    test("eight confirms at once make one medium", async () => {
      const { key } = await uploaded(await jpeg());
      const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(key)));
      expect(answers.map(([status]) => status)).toEqual(answers.map(() => 200));
      expect(await db.select().from(media).where(eq(media.key, key))).toHaveLength(1);
    });

    describe("M8: the store refuses what is not exactly what was granted", () => {
      const other = randomUUID();
      const without = (headers: Grant["headers"], name: string) =>
        Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
      type Try = { method?: string; url?: string; headers?: Grant["headers"]; body?: Uint8Array };
      test.each<[what: string, change: (granted: Grant, bytes: Uint8Array) => Try]>([
        ["another type", ({ headers }) => ({ headers: { ...headers, "Content-Type": "image/png" } })],
        ["no type", ({ headers }) => ({ headers: without(headers, "Content-Type") })],
        ["a longer file", (_, bytes) => ({ body: Buffer.concat([bytes, Buffer.alloc(1)]) })],
        ["a shorter file", (_, bytes) => ({ body: bytes.subarray(1) })],
        ["another size header", ({ headers }) => ({ headers: { ...headers, "x-amz-meta-size-bytes": "1" } })],
        ["no size header", ({ headers }) => ({ headers: without(headers, "x-amz-meta-size-bytes") })],
        ["another name header", ({ headers }) => ({ headers: { ...headers, "x-amz-meta-filename": "b.jpg" } })],
        ["no name header", ({ headers }) => ({ headers: without(headers, "x-amz-meta-filename") })],
        ["POST", () => ({ method: "POST" })],
        ["DELETE", () => ({ method: "DELETE" })],
        ["another key", ({ key, url }) => ({ url: url.replaceAll(nameOf(key).slice(0, 36), other) })],
        ["another signature", ({ url }) => ({ url: url.replace(/(s|Signature)=[^&]{6}/, "$1=aaaaaa") })],
        ["no signature", ({ url }) => ({ url: url.split("?")[0] })],
        ["a later end", ({ url }) => ({ url: url.replace(/([?&](?:e|X-Amz-Expires)=)\d+/, "$19999999999") })],
      ])("%s", async (_, change) => {
        const bytes = await jpeg();
        const granted = await grant(bytes);
        const tried = {
          method: "PUT",
          url: granted.url,
          headers: granted.headers,
          body: bytes,
          ...change(granted, bytes),
        };
        const status = await server.ask(tried.url, tried);
        expect([400, 403, 405, 501]).toContain(status);
        expect((await confirm(granted.key))[0]).toBe(404);
        expect(await put(granted, bytes)).toBe(200); // and nothing but that was wrong
      });

      test("a length that is not said beforehand", async () => {
        const bytes = await jpeg();
        const granted = await grant(bytes);
        const headers = { ...granted.headers, "Transfer-Encoding": "chunked" };
        expect([403, 411]).toContain(await server.ask(granted.url, { method: "PUT", headers, body: bytes }));
        expect((await confirm(granted.key))[0]).toBe(404);
      });

      test("one that comes late", async () => {
        const { key } = await grant(await jpeg());
        const [now, expiresAt] = [new Date(Date.now() - 700_000), new Date(Date.now() - 100_000)];
        const terms = { key, contentType: "image/jpeg", sizeBytes: 3, filename: "a.jpg", now, expiresAt };
        const { url, headers } = await store.grantPut(terms);
        expect(await server.ask(url, { method: "PUT", headers, body: Buffer.from("abc") })).toBe(403);
      });
    });

    test("404 alike for what was not uploaded yet, what is another's and what never was", async () => {
      const { key } = await grant(await jpeg());
      const foreign = await uploaded(await jpeg());
      const never = `${owner}/${randomUUID()}.jpg`;
      expect(await confirm(key)).toEqual([404, { error: `Media not found: ${key}` }]);
      expect(await confirm(foreign.key, as(await newOwner()))).toEqual([
        404,
        { error: `Media not found: ${foreign.key}` },
      ]);
      expect(await confirm(never)).toEqual([404, { error: `Media not found: ${never}` }]);
    });

    describe("M7: bytes that cannot be used are removed, and the reason stays", () => {
      test.each<[what: string, bytes: () => Promise<Uint8Array>, says: string]>([
        ["a picture cut in half", async () => (await jpeg(800, 600)).subarray(0, 2000), "image/jpeg"],
        ["a video cut in half", async () => mp4().subarray(0, 3000), "video/mp4"],
        [
          "a video with bytes behind its end",
          async () => Buffer.concat([mp4(), Buffer.from("PK\x03\x04 and more")]),
          "video/mp4",
        ],
        ["an SVG", async () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml"],
        ["a PDF", async () => Buffer.from("%PDF-1.7\n%âãÏÓ\n"), "application/pdf"],
        ["HTML", async () => Buffer.from("<!doctype html><p>"), "text/html"],
      ])("%s", async (_, make, type) => {
        const bytes = await make();
        const granted = await uploaded(bytes);
        const [status, body] = await confirm(granted.key);
        expect([status, body]).toEqual([
          400,
          { error: expect.stringMatching(`: the type found is ${type.replace("+", "\\+")}$`) },
        ]);
        const { error } = body as { error: string };
        expect(await store.read(uploadOf(granted.key))).toBeUndefined();
        expect(await confirm(granted.key)).toEqual([400, { error }]);
        // A better file under the same key comes too late.
        const better = Buffer.concat([await jpeg(), Buffer.alloc(bytes.length)]).subarray(0, bytes.length);
        expect(await put(granted, better)).toBe(200);
        expect(await confirm(granted.key)).toEqual([400, { error }]);
        const { id } = await connect(owner, "X_TWITTER");
        const posts = [{ content: "a", attachmentPaths: [granted.key] }];
        const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
        const answer = await told(caller.post("/v1/posts", { scheduledTime: "2030-01-01T00:00:00Z", publications }));
        expect(answer).toEqual([400, { error: expect.stringContaining(error) }]);
      });
    });

    test("M16: what is put after a confirm, or after the first use, changes nothing that is published", async () => {
      const { id, person } = await connect(owner, "X_TWITTER");
      const first = await jpeg(300, 200);
      const second = Buffer.concat([await jpeg(20, 10), Buffer.alloc(first.length)]).subarray(0, first.length);
      const confirmed = await uploaded(first);
      expect((await confirm(confirmed.key))[0]).toBe(200);
      const used = await uploaded(first);
      const posts = [{ content: "two", attachmentPaths: [confirmed.key, used.key] }];
      const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
      const stored = await schedule(caller, publications, new Date(Date.now() + 2_000));
      expect([await put(confirmed, second), await put(used, second)]).toEqual([200, 200]);
      expect((await confirm(used.key))[0]).toBe(200);
      expect((await settled(caller, stored.id, 30_000)).overallStatus).toBe("COMPLETED");
      const [post] = await postsOn("x", person);
      expect(post?.media.map((item) => item.sha256)).toEqual([sha256(first), sha256(first)]);
    }, 60_000);

    test("a key of a grant that nothing was put for cannot be scheduled yet", async () => {
      const { key } = await grant(await jpeg());
      const { id } = await connect(owner, "X_TWITTER");
      const posts = [{ content: "a", attachmentPaths: [key] }];
      const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
      const [status, body] = await told(
        caller.post("/v1/posts", { scheduledTime: "2030-01-01T00:00:00Z", publications }),
      );
      expect([status, body]).toEqual([400, { error: expect.stringContaining("file has not been uploaded yet") }]);
    });

    test("a medium that was removed is not there any more, whoever confirms it", async () => {
      const { key } = await uploaded(await jpeg());
      expect((await confirm(key))[0]).toBe(200);
      expect((await caller.delete(`/v1/media/${nameOf(key)}`)).status).toBe(204);
      expect((await confirm(key))[0]).toBe(404);
    });

    test("M10: served with the type of the bytes, without script, and in ranges", async () => {
      const bytes = await jpeg(200, 100);
      const { key } = await uploaded(bytes, "a.html");
      const { url } = (await confirm(key))[1] as { url: string };
      const part = await server.get(url, { range: "bytes=2-5" });
      expect([part.status, Buffer.from(await part.bytes())]).toEqual([206, bytes.subarray(2, 6)]);
      expect(Object.fromEntries(part.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "content-range": `bytes 2-5/${bytes.length}`,
        "content-length": "4",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      });
      const end = await server.get(url, { range: "bytes=-3" });
      expect([end.status, Buffer.from(await end.bytes())]).toEqual([206, bytes.subarray(-3)]);
      const beyond = await server.get(url, { range: `bytes=${bytes.length}-` });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
      const etag = part.headers.get("etag") ?? "";
      const asked: { [name: string]: string }[] = [
        { range: "bytes=2-5", "if-range": etag },
        { range: "bytes=2-5", "if-range": '"another"' },
        { range: "bytes=5-2" },
        { range: "lines=1-2" },
        { "if-none-match": etag },
      ];
      const statuses = asked.map(async (headers) => (await server.get(url, headers)).status);
      expect(await Promise.all(statuses)).toEqual([206, 200, 200, 200, 304]);
      expect(await server.ask(url, { method: "HEAD" })).toBe(200);
    });

    test("the library says what the bytes say, and a thumbnail is kept with them", async () => {
      const { key } = await uploaded(await jpeg(640, 480));
      await confirm(key);
      const [, { items }] = (await told(caller.get("/v1/media?limit=1"))) as [
        number,
        { items: { [name: string]: unknown }[] },
      ];
      expect(items[0]).toMatchObject({
        path: key,
        width: 640,
        height: 480,
        placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
        digest: expect.stringMatching(/^blake2b:[0-9a-f]{128}$/),
      });
      const thumbnail = await server.get(String(items[0]?.thumbnailUrl));
      expect([thumbnail.status, thumbnail.headers.get("content-type")]).toEqual([200, "image/webp"]);
      const other = String(items[0]?.thumbnailUrl).replace("/thumbnail", "");
      expect((await server.get(other)).status).toBe(404);
    });

    test("a grant never used is gone a day after its end with what was put; what was used stays", async () => {
      const [unused, used] = [await uploaded(await jpeg()), await uploaded(await jpeg())];
      const { url } = (await confirm(used.key))[1] as { url: string };
      const stray = await put(used, await jpeg()).catch(() => 0);
      const age = (interval: string) =>
        db
          .update(uploads)
          .set({ expiresAt: sql`now() - ${interval}::interval` })
          .where(eq(uploads.ownerId, owner));
      await age("23 hours 59 minutes");
      await cleanUp(new Date());
      expect(await store.read(uploadOf(unused.key))).toBeDefined();
      await age("24 hours 1 minute");
      await cleanUp(new Date());
      expect(await store.read(uploadOf(unused.key))).toBeUndefined();
      expect([stray, await store.read(uploadOf(used.key))]).toEqual([expect.any(Number), undefined]);
      expect((await confirm(unused.key))[0]).toBe(404);
      expect((await confirm(used.key))[0]).toBe(200);
      expect((await server.get(url)).status).toBe(200);
    });
  });
}
