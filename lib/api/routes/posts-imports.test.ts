import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, media, mediaImports } from "../../db";
import { listenForIntruders } from "../../http/testing/canary";
import { hostileUrls } from "../../http/testing/hostile-urls";
import {
  as,
  type Client,
  connect,
  jpeg,
  newOwner,
  picture as pictureOf,
  postsOn,
  reached,
  settled,
  told,
  withFiles,
  withWorker,
} from "../../testing";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
const answers: { [path: string]: Answer } = {};
const files = withFiles(1, (request, response) => {
  const answer = answers[request.url ?? ""] ?? (() => response.writeHead(404).end());
  answer(request, response);
});
withWorker();

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(800, 800);
});

function serve(answer: Answer): string {
  const path = `/${randomBytes(6).toString("hex")}/picture.jpg`;
  answers[path] = answer;
  return files().url + path;
}

/** A file that arrives when the test says so. */
function held() {
  const waiting: ServerResponse[] = [];
  const url = serve((_, response) => waiting.push(response));
  const release = (send = (response: ServerResponse) => response.end(picture) as unknown) =>
    vi.waitFor(
      () => {
        expect(waiting.length).toBeGreaterThan(0);
        for (const response of waiting.splice(0)) send(response);
      },
      { timeout: 10_000 },
    );
  return { url, release };
}

type Seen = {
  id: number;
  overallStatus: string;
  publications: { id: number; status: string; posts: { id: number; attachmentPaths: string[]; error?: string }[] }[];
  pendingImports?: {
    postId: number;
    attachmentIndex: number;
    importTaskId: number;
    sourceUrl: string;
    state: string;
  }[];
};

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** One X publication with a post for each list of attachments. */
const bodyOf = (account: number, posts: string[][], scheduledTime: string | undefined = tomorrow(), more = {}) => ({
  scheduledTime,
  ...more,
  publications: [
    {
      socialMediaAccountId: account,
      platformSettings: { type: "TWITTER" },
      posts: posts.map((attachmentPaths, index) => ({ content: `Picture ${index}`, attachmentPaths })),
    },
  ],
});

async function newX() {
  const ownerId = await newOwner();
  const account = await connect(ownerId, "X_TWITTER");
  return { ownerId, client: as(ownerId), ...account };
}

async function create(client: Client, body: object): Promise<Seen> {
  const [status, seen] = await told(client.post("/v1/posts", body));
  if (status !== 201) throw new Error(JSON.stringify(seen));
  return seen as Seen;
}

/** A schedule once it stands so. */
const standing = (client: Client, id: number, overallStatus: string) =>
  vi.waitFor(
    async () => {
      const seen = (await told(client.get(`/v1/posts/${id}`)))[1] as Seen;
      expect(seen.overallStatus, JSON.stringify(seen)).toBe(overallStatus);
      return seen;
    },
    { timeout: 15_000, interval: 50 },
  );

describe("public URLs among the attachments", () => {
  test("AWAITING_MEDIA with an entry for each, then SCHEDULED with the keys in their place", async () => {
    const { ownerId, client, id: account } = await newX();
    const [one, two] = [held(), held()];
    const own = await pictureOf(ownerId);
    const created = await create(
      client,
      bodyOf(account, [
        [own, one.url],
        [two.url, one.url],
      ]),
    );
    const [first, second] = created.publications[0]?.posts ?? [];
    expect(created.overallStatus).toBe("AWAITING_MEDIA");
    expect(first?.attachmentPaths).toEqual([own, one.url]);
    const entry = (postId: number | undefined, attachmentIndex: number, sourceUrl: string) => ({
      postId,
      attachmentIndex,
      importTaskId: expect.any(Number),
      sourceUrl,
      state: "QUEUED",
    });
    expect(created.pendingImports).toStrictEqual([
      entry(first?.id, 1, one.url),
      entry(second?.id, 0, two.url),
      entry(second?.id, 1, one.url),
    ]);
    const [a, b, again] = created.pendingImports?.map(({ importTaskId }) => importTaskId) ?? [];
    expect([again, new Set([a, b]).size]).toEqual([a, 2]);

    await one.release();
    const { s3Key } = await reached(client, a ?? 0, ["READY"]);
    await vi.waitFor(
      async () => {
        const seen = (await told(client.get(`/v1/posts/${created.id}`)))[1] as Seen;
        expect(seen.publications[0]?.posts[1]?.attachmentPaths).toEqual([two.url, s3Key]);
        expect(seen.overallStatus).toBe("AWAITING_MEDIA");
        expect(seen.pendingImports).toEqual([expect.objectContaining({ sourceUrl: two.url, state: "DOWNLOADING" })]);
      },
      { timeout: 10_000 },
    );
    await two.release();
    const done = await standing(client, created.id, "SCHEDULED");
    expect(done).not.toHaveProperty("pendingImports");
    expect(done.publications[0]?.posts[0]?.attachmentPaths).toEqual([own, s3Key]);
    expect(await told(client.get("/v1/posts?status=AWAITING_MEDIA"))).toEqual([200, { items: [], nextCursor: null }]);
  });

  test("a schedule whose time passes meanwhile is published when the media are there, once", async () => {
    const { client, id: account, person } = await newX();
    const slow = held();
    const { id } = await create(client, bodyOf(account, [[slow.url]], new Date().toISOString()));
    await slow.release();
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
    const posts = await postsOn("x", person);
    expect(posts.map(({ media: attached }) => attached.length)).toEqual([1]);
  });

  test("twelve imports that end at one instant settle it once", async () => {
    const { client, id: account, person } = await newX();
    const all = Array.from({ length: 12 }, held);
    const posts = [all.slice(0, 4), all.slice(4, 8), all.slice(8)].map((some) => some.map(({ url }) => url));
    const { id } = await create(client, bodyOf(account, posts, new Date().toISOString()));
    await Promise.all(all.map(({ release }) => release()));
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", person)).toHaveLength(3);
  });

  test("the flat body takes them too", async () => {
    const { client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const flat = {
      platform: "X_TWITTER",
      accountId: account,
      content: "Flat",
      mediaPaths: [url],
      scheduledTime: tomorrow(),
    };
    const { id, overallStatus } = await create(client, flat);
    expect(overallStatus).toBe("AWAITING_MEDIA");
    await standing(client, id, "SCHEDULED");
  });

  test("a draft's are imported at once, and it stays a draft", async () => {
    const { client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const draft = await create(client, bodyOf(account, [[url]], undefined, { isDraft: true }));
    expect([draft.overallStatus, draft.pendingImports?.length]).toEqual(["DRAFT", 1]);
    await vi.waitFor(
      async () => {
        const seen = (await told(client.get(`/v1/posts/${draft.id}`)))[1] as Seen;
        expect(seen.overallStatus).toBe("DRAFT");
        expect(seen.publications[0]?.posts[0]?.attachmentPaths[0]).toMatch(/^[0-9a-f-]{36}\//);
      },
      { timeout: 10_000 },
    );
  });
});

describe("MEDIA_IMPORT_FAILED says why, and a retry starts again", () => {
  test("a file that is not there", async () => {
    const { client, id: account } = await newX();
    let mended = false;
    const url = serve((_, response) => (mended ? response.end(picture) : response.writeHead(404).end()));
    const good = serve((_, response) => response.end(picture));
    const { id } = await create(client, bodyOf(account, [[good, url]]));
    const failed = await standing(client, id, "MEDIA_IMPORT_FAILED");
    const reason = "attachmentPaths[1]: The server answered 404 (Not Found).";
    expect(failed.publications[0]?.posts[0]?.error).toBe(reason);
    await vi.waitFor(
      async () => {
        const now = (await told(client.get(`/v1/posts/${id}`)))[1] as Seen;
        expect(now).not.toHaveProperty("pendingImports");
        expect(now.publications[0]?.posts[0]?.attachmentPaths[0]).not.toBe(good);
      },
      { timeout: 10_000 },
    );

    mended = true;
    const retried = await Promise.all([1, 2, 3].map(() => client.post(`/v1/posts/${id}/retry`, {})));
    expect(retried.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const done = await standing(client, id, "SCHEDULED");
    expect(done.publications[0]?.posts[0]).not.toHaveProperty("error");
    expect(files().asked.filter(({ path }) => files().url + path === good)).toHaveLength(1);
  });

  test("a file that its network does not take, known only when it has arrived", async () => {
    const ownerId = await newOwner();
    const client = as(ownerId);
    const { id: account } = await connect(ownerId, "INSTAGRAM");
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
    const failed = await standing(client, id, "MEDIA_IMPORT_FAILED");
    expect(failed.publications[0]?.posts[0]?.error).toContain("Instagram takes a ratio of width to height");

    bytes = picture;
    const [status, again] = await told(client.post(`/v1/posts/${id}/retry`, {}));
    expect([status, (again as Seen).publications[0]?.posts[0]?.attachmentPaths]).toEqual([200, [url]]);
    await standing(client, id, "SCHEDULED");
  });
});

describe("what is withdrawn is imported no more", () => {
  test.each([
    { by: "DELETE", withdraw: (client: Client, id: number) => client.delete(`/v1/posts/${id}`) },
    {
      by: "PUT",
      withdraw: (client: Client, id: number, account: number) => client.put(`/v1/posts/${id}`, bodyOf(account, [[]])),
    },
  ])("$by", async ({ by, withdraw }) => {
    const { ownerId, client, id: account } = await newX();
    const slow = held();
    const { id, pendingImports } = await create(client, bodyOf(account, [[slow.url]]));
    const task = pendingImports?.[0]?.importTaskId ?? 0;
    await reached(client, task, ["DOWNLOADING"]);
    expect((await withdraw(client, id, account)).status).toBe(by === "PUT" ? 200 : 204);
    expect((await client.get(`/v1/media/upload/import/${task}`)).status).toBe(404);
    await slow.release();
    // Another import of the same owner's comes and goes; the withdrawn one has left nothing by then.
    const other = serve((_, response) => response.end(picture));
    const next = await create(client, bodyOf(account, [[other]]));
    await standing(client, next.id, "SCHEDULED");
    expect(await db.select().from(media).where(eq(media.ownerId, ownerId))).toHaveLength(1);
  });
});

describe("what is wrong is said before anything is stored", () => {
  test.each([
    { path: "ftp://example.com/a.jpg", says: "is not a storage key of this user's media: ftp://example.com/a.jpg" },
    { path: "/etc/passwd", says: "is not a storage key of this user's media: /etc/passwd" },
    { path: "http://a b/", says: "is not an http or https URL: http://a b/" },
    { path: "http://example.com:22/", says: "names a port that is kept for another service: http://example.com:22/" },
  ])("$path", async ({ path, says }) => {
    const { ownerId, client, id: account } = await newX();
    const error = `publications[0].posts[0].attachmentPaths[0] ${says}`;
    for (const isDraft of [false, true]) {
      expect(await told(client.post("/v1/posts", bodyOf(account, [[path]], tomorrow(), { isDraft })))).toEqual([
        400,
        { error },
      ]);
    }
    expect(await db.select().from(mediaImports).where(eq(mediaImports.ownerId, ownerId))).toEqual([]);
  });

  test("what is wrong whatever the files are: too many of them, too long a text", async () => {
    const { client, id: account } = await newX();
    const urls = Array.from({ length: 5 }, (_, n) => `https://example.com/${n}.jpg`);
    const [, many] = await told(client.post("/v1/posts/validate", bodyOf(account, [urls])));
    expect(many).toMatchObject({ valid: false, problems: [{ rule: "media.count" }] });
    const long = bodyOf(account, [urls.slice(0, 1)]);
    const post = long.publications[0]?.posts[0];
    if (post) post.content = "a".repeat(281);
    expect((await told(client.post("/v1/posts/validate", long)))[1]).toMatchObject({
      problems: [{ rule: "text.length" }],
    });
  });

  test("validating imports nothing", async () => {
    const { ownerId, client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const verdict = await told(client.post("/v1/posts/validate", bodyOf(account, [[url]])));
    expect(verdict).toEqual([200, { valid: true, problems: [] }]);
    expect(await db.select().from(mediaImports).where(eq(mediaImports.ownerId, ownerId))).toEqual([]);
  });
});

test("T16: no hostile URL is called through this door", async () => {
  const canary = await listenForIntruders();
  const { client, id: account } = await newX();
  const hostile = hostileUrls(canary.port);
  const waiting: Seen[] = [];
  for (const { url, refusal } of hostile) {
    const [status, body] = await told(client.post("/v1/posts", bodyOf(account, [[url]])));
    expect([url, status]).toEqual([url, refusal === "INVALID_URL" ? 400 : 201]);
    if (status === 201) waiting.push(body as Seen);
  }
  for (const { id } of waiting) {
    const { publications } = await standing(client, id, "MEDIA_IMPORT_FAILED");
    expect(publications[0]?.posts[0]?.error).toBe("attachmentPaths[0]: The URL does not lead to a public address.");
  }
  expect(canary.hits).toBe(0);
  await canary.close();
}, 90_000);
