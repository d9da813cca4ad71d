import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, media, mediaImports } from "../../db";
import { as, type Client, connectAccount, jpeg, newOwner, reached, readResponse, withWorker } from "../../testing";
import { type SourceAnswer, withSource } from "../testing/import-source";
import {
  create,
  newX,
  postWithUrls,
  tomorrow,
  type UrlPost,
  waitForStatus,
  withPausedFile,
} from "../testing/posts-of-urls";

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(800, 800);
});
const { serve: serveAs, askedFor } = withSource(7);
const serve = (answer: SourceAnswer) => serveAs("picture.jpg", answer);
const held = () => withPausedFile(serveAs, () => picture);
withWorker();

describe("MEDIA_IMPORT_FAILED has a reason, and a retry starts again", () => {
  test("for a missing file", async () => {
    const { client, id: account } = await newX();
    let fixed = false;
    const url = serve((_, response) => (fixed ? response.end(picture) : response.writeHead(404).end()));
    const good = serve((_, response) => response.end(picture));
    const { id } = await create(client, postWithUrls(account, [[good, url]]));
    const failed = await waitForStatus(client, id, "MEDIA_IMPORT_FAILED");
    const reason = "attachmentPaths[1]: The server answered 404 (Not Found).";
    expect(failed.publications[0]?.posts[0]?.error).toBe(reason);
    await vi.waitFor(
      async () => {
        const now = (await readResponse(client.get(`/v1/posts/${id}`)))[1] as UrlPost;
        expect(now).not.toHaveProperty("pendingImports");
        expect(now.publications[0]?.posts[0]?.attachmentPaths[0]).not.toBe(good);
      },
      { timeout: 45_000 },
    );

    fixed = true;
    const retried = await Promise.all([1, 2, 3].map(() => client.post(`/v1/posts/${id}/retry`, {})));
    expect(retried.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const done = await waitForStatus(client, id, "SCHEDULED");
    expect(done.publications[0]?.posts[0]).not.toHaveProperty("error");
    expect(askedFor(good)).toHaveLength(1);
  });

  test("for a file that its network rejects once it has arrived", async () => {
    const ownerId = await newOwner();
    const client = as(ownerId);
    const { id: account } = await connectAccount(ownerId, "INSTAGRAM");
    const wide = await jpeg(2000, 100);
    let bytes = wide;
    const url = serve((_, response) => response.end(bytes));
    const body = {
      scheduledTime: tomorrow(),
      publications: [
        {
          socialMediaAccountId: account,
          platformSettings: { type: "INSTAGRAM" },
          posts: [{ content: "Too wide", attachmentPaths: [url] }],
        },
      ],
    };
    const { id } = await create(client, body);
    const failed = await waitForStatus(client, id, "MEDIA_IMPORT_FAILED");
    expect(failed.publications[0]?.posts[0]?.error).toMatch(
      /^attachmentPaths\[0\]: Instagram takes a ratio of width to height.*\.$/,
    );

    bytes = picture;
    const [status, again] = await readResponse(client.post(`/v1/posts/${id}/retry`, {}));
    expect([status, (again as UrlPost).publications[0]?.posts[0]?.attachmentPaths]).toEqual([200, [url]]);
    await waitForStatus(client, id, "SCHEDULED");
  });
});

test("a rule that needs the file names the setting that breaks it", async () => {
  const ownerId = await newOwner();
  const { id: account } = await connectAccount(ownerId, "TIKTOK");
  const url = serve((_, response) => response.end(picture));
  const platformSettings = { type: "TIK_TOK", privacyLevel: "SELF_ONLY", title: "a".repeat(91) };
  const posts = [{ attachmentPaths: [url] }];
  const publications = [{ socialMediaAccountId: account, platformSettings, posts }];
  const { id } = await create(as(ownerId), { scheduledTime: tomorrow(), publications });
  const failed = await waitForStatus(as(ownerId), id, "MEDIA_IMPORT_FAILED");
  expect(failed.publications[0]?.posts[0]?.error).toBe(
    "platformSettings.title: TikTok takes at most 90 UTF-16 units, this text has 91.",
  );
});

describe("an import that is no longer needed is cancelled", () => {
  test.each([
    { by: "DELETE", withdraw: (client: Client, id: number) => client.delete(`/v1/posts/${id}`) },
    {
      by: "PUT",
      withdraw: (client: Client, id: number, account: number) =>
        client.put(`/v1/posts/${id}`, postWithUrls(account, [[]])),
    },
  ])("$by", async ({ by, withdraw }) => {
    const { ownerId, client, id: account } = await newX();
    const slow = held();
    const { id, pendingImports } = await create(client, postWithUrls(account, [[slow.url]]));
    const task = pendingImports?.[0]?.importTaskId ?? 0;
    await reached(client, task, ["DOWNLOADING"]);
    expect((await withdraw(client, id, account)).status).toBe(by === "PUT" ? 200 : 204);
    expect((await client.get(`/v1/media/upload/import/${task}`)).status).toBe(404);
    await slow.release();
    // Another import of the owner runs to its end. By then the cancelled one has left nothing.
    const other = serve((_, response) => response.end(picture));
    const next = await create(client, postWithUrls(account, [[other]]));
    await waitForStatus(client, next.id, "SCHEDULED");
    expect(await db.select().from(media).where(eq(media.ownerId, ownerId))).toHaveLength(1);
  });
});

describe("problems are reported before anything is stored", () => {
  test.each([
    { path: "ftp://example.com/a.jpg", says: "is not a storage key of this user's media: ftp://example.com/a.jpg" },
    { path: "/etc/passwd", says: "is not a storage key of this user's media: /etc/passwd" },
    { path: "http://a b/", says: "is not an http or https URL: http://a b/" },
    {
      path: "http://example.com:22/",
      says: "uses a port that is reserved for another service: http://example.com:22/",
    },
  ])("$path", async ({ path, says }) => {
    const { ownerId, client, id: account } = await newX();
    const error = `publications[0].posts[0].attachmentPaths[0] ${says}`;
    for (const isDraft of [false, true]) {
      expect(
        await readResponse(client.post("/v1/posts", postWithUrls(account, [[path]], tomorrow(), { isDraft }))),
      ).toEqual([400, { error }]);
    }
    expect(await db.select().from(mediaImports).where(eq(mediaImports.ownerId, ownerId))).toEqual([]);
  });

  test("problems that do not depend on the files: too many of them, a text that is too long", async () => {
    const { client, id: account } = await newX();
    const urls = Array.from({ length: 5 }, (_, n) => `https://example.com/${n}.jpg`);
    const [, many] = await readResponse(client.post("/v1/posts/validate", postWithUrls(account, [urls])));
    expect(many).toMatchObject({ valid: false, problems: [{ rule: "media.count" }] });
    const long = postWithUrls(account, [urls.slice(0, 1)]);
    const post = long.publications[0]?.posts[0];
    if (post) post.content = "a".repeat(281);
    expect((await readResponse(client.post("/v1/posts/validate", long)))[1]).toMatchObject({
      problems: [{ rule: "text.length" }],
    });
  });

  test("validating imports nothing", async () => {
    const { ownerId, client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const verdict = await readResponse(client.post("/v1/posts/validate", postWithUrls(account, [[url]])));
    expect(verdict).toEqual([200, { valid: true, problems: [] }]);
    expect(await db.select().from(mediaImports).where(eq(mediaImports.ownerId, ownerId))).toEqual([]);
  });
});
