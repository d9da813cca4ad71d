import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../db";
import { env } from "../../env";
import { store } from "../../storage";
import { as, type Client, connect, jpeg, newOwner, nobody, picture, told, upload } from "../../testing";

type View = { key: string; path: string; url: string };
type Page = { items: View[]; nextCursor: string | null };

let owner: string;
let caller: Client;

beforeEach(async () => {
  owner = await newOwner();
  caller = as(owner);
});

const list = async (query = "") => (await told(caller.get(`/v1/media${query}`)))[1] as Page;
const nameOf = (path: string) => path.split("/")[1] ?? "";
async function isStored(path: string): Promise<boolean> {
  const object = await store.read(`objects/${nameOf(path).split(".")[0] ?? ""}`, { first: 0, last: 0 });
  await object?.stream().cancel();
  return object !== undefined;
}

async function use(path: string, fields: object = {}) {
  const { id } = await connect(owner, "X_TWITTER");
  const posts = [{ content: "a", attachmentPaths: [path] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications, ...fields };
  return (await told(caller.post("/v1/posts", body)))[1] as { id: number };
}

describe("GET /v1/media", () => {
  test("200 with all known facts and a working address", async () => {
    const bytes = await jpeg(40, 30);
    const [, { path }] = (await told(upload(caller, bytes, "Holiday.JPG"))) as [number, View];
    const page = await list();
    expect(page).toEqual({
      items: [
        {
          key: nameOf(path),
          path,
          filename: "Holiday.JPG",
          contentType: "image/jpeg",
          sizeBytes: bytes.length,
          width: 40,
          height: 30,
          placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
          digest: `blake2b:${createHash("blake2b512").update(bytes).digest("hex")}`,
          thumbnailUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/media\/[0-9a-f-]+\/thumbnail\?/),
          url: expect.stringMatching(/^http:\/\/localhost:\d+\/media\//),
          createdTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
        },
      ],
      nextCursor: null,
    });
    const served = await nobody.request((page.items[0]?.url ?? "").replace(env.appUrl, ""));
    expect([served.status, Buffer.from(await served.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  });

  test("pages newest first without repeats or gaps while files are added", async () => {
    const paths = [await picture(owner), await picture(owner), await picture(owner), await picture(owner)].reverse();
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { items, nextCursor }: Page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
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

  test("an owner sees only their own", async () => {
    await picture(await newOwner());
    expect(await list()).toEqual({ items: [], nextCursor: null });
  });

  test.each(["a", "WzFd", Buffer.from('["2026-13-45 99:99:99+00","x"]').toString("base64url")])(
    "400 for the cursor %s",
    async (cursor) => {
      const says = { error: "cursor is not a cursor from an earlier response" };
      expect(await told(caller.get(`/v1/media?cursor=${cursor}`))).toEqual([400, says]);
    },
  );
});

describe("GET and PATCH /v1/media/{key}", () => {
  test("200 with the same file as in the list, and its alt text", async () => {
    const name = nameOf(await picture(owner));
    const [plain] = (await list()).items;
    const described = { ...plain, url: expect.any(String), thumbnailUrl: expect.any(String), altText: "A bell" };
    expect(plain).not.toHaveProperty("altText");
    expect(await told(caller.patch(`/v1/media/${name}`, { altText: " A bell\n" }))).toEqual([200, described]);
    expect(await told(caller.get(`/v1/media/${name}`))).toEqual([200, described]);
    expect((await list()).items).toEqual([described]);
    for (const altText of [null, "", " \n"]) {
      await caller.patch(`/v1/media/${name}`, { altText: "A bell" });
      const [status, bare] = await told(caller.patch(`/v1/media/${name}`, { altText }));
      expect([status, Object.keys(bare as object)]).toEqual([200, Object.keys(plain ?? {})]);
    }
  });

  test.each([
    { body: {}, says: "altText cannot be null" },
    { body: { altText: 7 }, says: "altText must be a string" },
    { body: { altText: "a".repeat(4087) }, says: "altText must have at most 4086 characters" },
    { body: { altText: "a", filename: "b.jpg" }, says: "filename is not a field here" },
  ])("400: $says", async ({ body, says }) => {
    const name = nameOf(await picture(owner));
    expect(await told(caller.patch(`/v1/media/${name}`, body))).toEqual([400, { error: says }]);
    expect((await caller.patch(`/v1/media/${name}`, { altText: "a".repeat(4086) })).status).toBe(200);
  });

  test("404, the same for someone else's file, which is not changed, and a missing one", async () => {
    const stranger = await newOwner();
    const foreign = nameOf(await picture(stranger));
    for (const name of [foreign, "00000000-0000-4000-8000-000000000000.jpg", "x", "%00", "..%2F..%2Fetc%2Fpasswd"]) {
      const says = [404, { error: `Media not found: ${decodeURIComponent(name)}` }];
      expect(await told(caller.get(`/v1/media/${name}`))).toEqual(says);
      expect(await told(caller.patch(`/v1/media/${name}`, { altText: "Mine" }))).toEqual(says);
    }
    const [, theirs] = await told(as(stranger).get(`/v1/media/${foreign}`));
    expect(theirs).not.toHaveProperty("altText");
  });
});

describe("DELETE /v1/media/{key}", () => {
  test("204: deletes the row, the object and its address", async () => {
    const path = await picture(owner);
    const [item] = (await list()).items;
    expect(await isStored(path)).toBe(true);
    expect(await told(caller.delete(`/v1/media/${item?.key}`))).toEqual([204, ""]);
    expect(await isStored(path)).toBe(false);
    expect((await nobody.request((item?.url ?? "").replace(env.appUrl, ""))).status).toBe(404);
    expect(await list()).toEqual({ items: [], nextCursor: null });
  });

  test.each(["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED", "IN_PROGRESS"])(
    "409 while a %s schedule uses it",
    async (status) => {
      const path = await picture(owner);
      const { id } = await use(path);
      await db.execute(sql`update schedules set status = ${status} where id = ${id}`);
      const says = `Media ${nameOf(path)} is used by posting schedule ${id}, which is not finished`;
      expect(await told(caller.delete(`/v1/media/${nameOf(path)}`))).toEqual([409, { error: says }]);
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
    const { id } = await connect(owner, "X_TWITTER");
    const posts = [{ content: "a", thumbnailPath: path }];
    const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
    await caller.post("/v1/posts", { isDraft: true, publications });
    expect((await caller.delete(`/v1/media/${nameOf(path)}`)).status).toBe(409);
  });

  test("deleting a file while a schedule uses it for the first time: one of the two is rejected", async () => {
    for (let round = 0; round < 6; round++) {
      const path = await picture(owner);
      const { id } = await connect(owner, "X_TWITTER");
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
      expect(await told(caller.delete(`/v1/media/${name}`))).toEqual(says);
    }
  });
});

test("403 without media.write", async () => {
  const reader = as(owner, ["posts.read"]);
  expect((await reader.get("/v1/media")).status).toBe(403);
  expect((await reader.delete("/v1/media/x")).status).toBe(403);
});
