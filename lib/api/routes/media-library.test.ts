import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../db";
import { as, type Client, connectAccount, jpeg, newOwner, picture, readResponse, upload } from "../../testing";
import { type FilePage, isStored, newLibrary } from "../../testing/media";

type View = { key: string; path: string; url: string };

let owner: string;
let caller: Client;
let list: (query?: string) => Promise<FilePage>;

beforeEach(async () => {
  ({ owner, caller, list } = await newLibrary());
});

const nameOf = (path: string) => path.split("/")[1] ?? "";
async function use(path: string, fields: object = {}) {
  const { id } = await connectAccount(owner, "X_TWITTER");
  const posts = [{ content: "a", attachmentPaths: [path] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications, ...fields };
  return (await readResponse(caller.post("/v1/posts", body)))[1] as { id: number };
}

describe("GET /v1/media", () => {
  test("pages newest first without repeats or gaps while files are added", async () => {
    const paths = [await picture(owner), await picture(owner), await picture(owner), await picture(owner)].reverse();
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { items, nextCursor }: FilePage = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...items.map(({ path }) => path));
      if (cursor === "") await picture(owner);
      cursor = nextCursor;
    }
    expect(seen).toEqual(paths);
  });

  test("keys lists only these files; unknown names and files of others are left out", async () => {
    const [first, , third] = [await picture(owner), await picture(owner), await picture(owner)];
    const foreign = await picture(await newOwner());
    const keys = [first, third, foreign, "1/00000000-0000-4000-8000-000000000000.jpg", "1/no name"].map(nameOf).join();
    const { items, nextCursor } = await list(`?keys=${keys}&limit=100`);
    expect([items.map(({ path }) => path), nextCursor]).toEqual([[third, first], null]);
  });

  describe("filters and sorts", () => {
    /** A picture, a large picture that a post uses, and a document. */
    async function three() {
      const [, tower] = (await readResponse(upload(caller, await jpeg(20, 20), "Tower.jpg"))) as [number, View];
      const [, bell] = (await readResponse(upload(caller, await jpeg(900, 900), "bell.jpg"))) as [number, View];
      const [, rope] = (await readResponse(upload(caller, await jpeg(30, 30), "Rope.jpg"))) as [number, View];
      const change = (one: View, changes: object) => caller.patch(`/v1/media/${nameOf(one.path)}`, changes);
      await change(tower, { altText: "The Old tower", labels: ["Spring", "Autumn", "Spring"] });
      await change(rope, { labels: ["Spring"] });
      await use(bell.path);
    }
    const names = async (query: string) =>
      ((await list(query)).items as unknown as { filename: string }[]).map(({ filename }) => filename);

    test.each([
      ["the newest first", "", ["Rope.jpg", "bell.jpg", "Tower.jpg"]],
      ["the oldest first", "?sort=createdTime", ["Tower.jpg", "bell.jpg", "Rope.jpg"]],
      ["by name, ignoring case", "?sort=filename", ["bell.jpg", "Rope.jpg", "Tower.jpg"]],
      ["words of the name and of the alt text", "?text=OLD%20tower", ["Tower.jpg"]],
      ["without accents", "?text=towér", ["Tower.jpg"]],
      ["a word that is nowhere", "?text=tower%20new", []],
      ["pictures", "?kind=IMAGE&sort=createdTime", ["Tower.jpg", "bell.jpg", "Rope.jpg"]],
      ["videos", "?kind=VIDEO", []],
      ["a label", "?label=Spring", ["Rope.jpg", "Tower.jpg"]],
      ["not used yet", "?used=false", ["Rope.jpg", "Tower.jpg"]],
      ["used", "?used=true", ["bell.jpg"]],
      ["without alt text", "?altText=false", ["Rope.jpg", "bell.jpg"]],
    ])("%s", async (_, query, expected) => {
      await three();
      expect(await names(query)).toEqual(expected);
    });

    test.each(["-createdTime", "createdTime", "filename", "-sizeBytes"])(
      "pages sorted by %s have no repeats and no gaps",
      async (sort) => {
        await three();
        const whole = await names(`?sort=${sort}`);
        const seen: string[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const page: FilePage = await list(`?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
          seen.push(...(page.items as unknown as { filename: string }[]).map(({ filename }) => filename));
          cursor = page.nextCursor;
        }
        expect(seen).toEqual(whole);
        expect(sort === "-sizeBytes" ? seen[0] : seen.length).toBe(sort === "-sizeBytes" ? "bell.jpg" : 3);
      },
    );

    test("pages sorted by filename have no gaps after the longest names", async () => {
      const longest = ["ぁ", "İ", '"', "😀"].map((letter) => letter.repeat(Math.floor(255 / letter.length)));
      for (const filename of longest) {
        const path = await picture(owner, 20, 20);
        expect((await caller.patch(`/v1/media/${nameOf(path)}`, { filename })).status).toBe(200);
      }
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const [status, page] = await readResponse(
          caller.get(`/v1/media?sort=filename&limit=1${cursor && `&cursor=${cursor}`}`),
        );
        expect(status).toBe(200);
        const { items, nextCursor } = page as { items: { filename: string }[]; nextCursor: string | null };
        seen.push(...items.map(({ filename }) => filename));
        cursor = nextCursor;
      }
      expect(seen.sort()).toEqual(longest.sort());
    });

    test("400 for a cursor of a list with another sort", async () => {
      await three();
      const { nextCursor } = await list("?sort=filename&limit=1");
      const says = { error: "cursor is from a list with another sort" };
      expect(await readResponse(caller.get(`/v1/media?cursor=${nextCursor}`))).toEqual([400, says]);
      expect(await readResponse(caller.get(`/v1/media?sort=-sizeBytes&cursor=${nextCursor}`))).toEqual([400, says]);
    });

    test("the numbers of an owner's files, as the filters leave them", async () => {
      await three();
      await readResponse(upload(as(await newOwner()), await jpeg(20, 20), "Theirs.jpg"));
      const kinds = { IMAGE: 3, VIDEO: 0, DOCUMENT: 0 };
      expect(await readResponse(caller.get("/v1/media/counts"))).toEqual([
        200,
        { all: 3, kinds, unused: 2, withoutAltText: 2 },
      ]);
      const none = { all: 0, kinds: { ...kinds, IMAGE: 0 }, unused: 0, withoutAltText: 0 };
      expect(await readResponse(as(await newOwner()).get("/v1/media/counts"))).toEqual([200, none]);
    });

    test("names with accents are found without them, and the other way round", async () => {
      await readResponse(upload(caller, await jpeg(20, 20), "CAFÉ.jpg"));
      await readResponse(upload(caller, await jpeg(30, 20), "cafe au lait.jpg"));
      expect(await names("?text=cafe&sort=createdTime")).toEqual(["CAFÉ.jpg", "cafe au lait.jpg"]);
      expect(await names(`?text=${encodeURIComponent("Café")}&sort=createdTime`)).toEqual([
        "CAFÉ.jpg",
        "cafe au lait.jpg",
      ]);
    });

    test("the labels of an owner, each with its number of files", async () => {
      await three();
      await readResponse(as(await newOwner()).get("/v1/media-labels"));
      expect(await readResponse(caller.get("/v1/media-labels"))).toEqual([
        200,
        [
          { label: "Autumn", files: 1 },
          { label: "Spring", files: 2 },
        ],
      ]);
      expect(await readResponse(as(await newOwner()).get("/v1/media-labels"))).toEqual([200, []]);
    });
  });

  test("an owner sees only their own", async () => {
    await picture(await newOwner());
    expect(await list()).toEqual({ items: [], nextCursor: null });
  });

  test.each(["a", "WzFd", Buffer.from('["2026-13-45 99:99:99+00","x"]').toString("base64url")])(
    "400 for the cursor %s",
    async (cursor) => {
      const says = { error: "cursor is not a cursor from an earlier response" };
      expect(await readResponse(caller.get(`/v1/media?cursor=${cursor}`))).toEqual([400, says]);
    },
  );
});

describe("GET and PATCH /v1/media/{key}", () => {
  test("200 with the same file as in the list, and its alt text", async () => {
    const name = nameOf(await picture(owner));
    const [plain] = (await list()).items;
    const described = { ...plain, url: expect.any(String), thumbnailUrl: expect.any(String), altText: "A bell" };
    expect(plain).not.toHaveProperty("altText");
    expect(await readResponse(caller.patch(`/v1/media/${name}`, { altText: " A bell\n" }))).toEqual([200, described]);
    expect(await readResponse(caller.get(`/v1/media/${name}`))).toEqual([200, described]);
    expect((await list()).items).toEqual([described]);
    for (const altText of [null, "", " \n"]) {
      await caller.patch(`/v1/media/${name}`, { altText: "A bell" });
      const [status, bare] = await readResponse(caller.patch(`/v1/media/${name}`, { altText }));
      expect([status, Object.keys(bare as object)]).toEqual([200, Object.keys(plain ?? {})]);
    }
  });

  test("200 with another name and sorted labels; fields that are not given stay", async () => {
    const name = nameOf(await picture(owner));
    await caller.patch(`/v1/media/${name}`, { altText: "A bell" });
    const renamed = { filename: "Bell.jpg", labels: ["Autumn", "Spring"], altText: "A bell" };
    const change = { filename: " ../Bell.jpg", labels: ["Spring", " Autumn", "Spring"] };
    expect(await readResponse(caller.patch(`/v1/media/${name}`, change))).toEqual([
      200,
      expect.objectContaining(renamed),
    ]);
    const [, bare] = await readResponse(caller.patch(`/v1/media/${name}`, { labels: [] }));
    expect(bare).toMatchObject({ filename: "Bell.jpg", labels: [], altText: "A bell" });
  });

  test.each([
    { body: {}, says: "The body must have at least one of altText, filename, labels" },
    { body: { filename: " " }, says: "filename must have at least 1 character that is not white space" },
    { body: { labels: ["a".repeat(61)] }, says: "labels[0] must have at most 60 characters" },
    { body: { altText: 7 }, says: "altText must be a string" },
    { body: { altText: "a".repeat(4087) }, says: "altText must have at most 4086 characters" },
    { body: { altText: "a", key: "b.jpg" }, says: "key is not a field here" },
  ])("400: $says", async ({ body, says }) => {
    const name = nameOf(await picture(owner));
    expect(await readResponse(caller.patch(`/v1/media/${name}`, body))).toEqual([400, { error: says }]);
    expect((await caller.patch(`/v1/media/${name}`, { altText: "a".repeat(4086) })).status).toBe(200);
  });

  test("404, the same for someone else's file, which is not changed, and a missing one", async () => {
    const stranger = await newOwner();
    const foreign = nameOf(await picture(stranger));
    for (const name of [foreign, "00000000-0000-4000-8000-000000000000.jpg", "x", "%00", "..%2F..%2Fetc%2Fpasswd"]) {
      const says = [404, { error: `Media not found: ${decodeURIComponent(name)}` }];
      expect(await readResponse(caller.get(`/v1/media/${name}`))).toEqual(says);
      expect(await readResponse(caller.patch(`/v1/media/${name}`, { altText: "Mine" }))).toEqual(says);
    }
    const [, theirs] = await readResponse(as(stranger).get(`/v1/media/${foreign}`));
    expect(theirs).not.toHaveProperty("altText");
  });
});

describe("DELETE /v1/media/{key}", () => {
  test.each(["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED", "IN_PROGRESS"])(
    "409 while a %s schedule uses it",
    async (status) => {
      const path = await picture(owner);
      const { id } = await use(path);
      await db.execute(sql`update schedules set status = ${status} where id = ${id}`);
      const says = `Media ${nameOf(path)} is used by post ${id}, which is not finished`;
      expect(await readResponse(caller.delete(`/v1/media/${nameOf(path)}`))).toEqual([409, { error: says }]);
      expect(await isStored(path)).toBe(true);
    },
  );

  test.each(["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"])("204 once the schedule is %s", async (status) => {
    const path = await picture(owner);
    const { id } = await use(path);
    await db.execute(sql`update schedules set status = ${status} where id = ${id}`);
    expect((await caller.delete(`/v1/media/${nameOf(path)}`)).status).toBe(204);
  });

  test("409 for a thumbnail in use", async () => {
    const path = await picture(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const posts = [{ content: "a", thumbnailPath: path }];
    const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
    await caller.post("/v1/posts", { isDraft: true, publications });
    expect((await caller.delete(`/v1/media/${nameOf(path)}`)).status).toBe(409);
  });

  test("deleting a file while a schedule uses it for the first time: one of the two is rejected", async () => {
    for (let round = 0; round < 6; round++) {
      const path = await picture(owner);
      const { id } = await connectAccount(owner, "X_TWITTER");
      const posts = [{ content: "a", attachmentPaths: [path] }];
      const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
      const [made, removed] = await Promise.all([
        caller.post("/v1/posts", { scheduledTime: "2031-05-01T12:00:00Z", publications }),
        caller.delete(`/v1/media/${nameOf(path)}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
        [409, 204],
      ]).toContainEqual([made.status, removed.status]);
    }
  });

  test("404, with the same bytes for someone else's file and a missing one", async () => {
    const foreign = nameOf(await picture(await newOwner()));
    const absent = "00000000-0000-4000-8000-000000000000.jpg";
    for (const name of [foreign, absent, "x", "%00", "..%2F..%2Fetc%2Fpasswd", `${"a".repeat(300)}.jpg`]) {
      const says = [404, { error: `Media not found: ${decodeURIComponent(name)}` }];
      expect(await readResponse(caller.delete(`/v1/media/${name}`))).toEqual(says);
    }
  });
});

test("403 without media.write", async () => {
  const reader = as(owner, ["posts.read"]);
  expect((await reader.get("/v1/media")).status).toBe(403);
  expect((await reader.delete("/v1/media/x")).status).toBe(403);
});
