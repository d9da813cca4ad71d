import { describe, expect, test } from "vitest";
import { gif, jpeg, png } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { api, errorOf, put } from "./testing";

const sandbox = testSandbox();
const GRAIN = 262_144;
const nothing = new Uint8Array();
let people = 0;
const newUser = async (channel: object = {}) => {
  const name = `p${++people}`;
  await sandbox.control("POST", "youtube/channel", { account: name, ...channel });
  return { ...(await api(sandbox, name)), name };
};
const postsOf = async (name: string) => (await sandbox.posts("youtube")).filter(({ account }) => account === name);

/** Uploads a file in one PUT. Returns the video id. */
async function uploaded(person: Awaited<ReturnType<typeof newUser>>, file: Uint8Array, snippet: object = {}) {
  const { headers } = await person.open(snippet);
  const answer = await put(headers.get("location") ?? "", file);
  return (await answer.json()).id as string;
}

describe("a session", () => {
  test("is created with 200, a session URL and no body", async () => {
    const answer = await (await newUser()).open();
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(answer.headers.get("location")).toContain("upload_id=");
  });

  test.each<[string, object, object, string]>([
    ["no title", { title: "" }, {}, "invalidTitle"],
    ["a title of 101 characters", { title: "t".repeat(101) }, {}, "invalidTitle"],
    ["an angle bracket in the title", { title: "a < b" }, {}, "invalidTitle"],
    ["a description of 5,001 bytes", { description: "é".repeat(2500).concat("a") }, {}, "invalidDescription"],
    ["an angle bracket in the description", { description: ">" }, {}, "invalidDescription"],
    ["an unknown category", { categoryId: "99" }, {}, "invalidCategoryId"],
    ["tags of 501 characters", { tags: ["t".repeat(501)] }, {}, "invalidTags"],
    ["tags of 500 characters with a quoted one", { tags: ["a b", "t".repeat(495)] }, {}, "invalidTags"],
    ["a privacy status in capitals", {}, { privacyStatus: "PUBLIC" }, "badRequest"],
  ])("rejects %s before any upload", async (_, snippet, status, reason) => {
    expect(await errorOf(await (await newUser()).open(snippet, status))).toEqual([400, reason]);
  });

  test("accepts a title of 100 characters, counted in code points", async () => {
    expect((await (await newUser()).open({ title: "🩷".repeat(100) })).status).toBe(200);
  });

  test("privacy defaults to public, and is ignored if its part is not listed", async () => {
    const person = await newUser();
    for (const [status, part] of [
      [{}, "snippet,status"],
      [{ privacyStatus: "private" }, "snippet"],
    ] as const) {
      const { headers } = await person.open({}, status, part);
      await put(headers.get("location") ?? "", mp4());
    }
    expect((await postsOf(person.name)).map(({ settings }) => settings.privacyStatus)).toEqual(["public", "public"]);
  });

  test("expires after a week", async () => {
    const uri = (await (await newUser()).open()).headers.get("location") ?? "";
    await sandbox.advance(7 * 86_400 + 1);
    expect((await put(uri, nothing, "*/100")).status).toBe(404);
    expect((await put(`${uri}x`, nothing, "*/100")).status).toBe(404);
  });
});

describe("bytes", () => {
  const SIZE = 4 * GRAIN + 5;
  const begun = async () => (await (await newUser()).open()).headers.get("location") ?? "";

  test("has no Range while empty, stores less than was sent, and takes multiples of 256 KiB", async () => {
    const uri = await begun();
    const fresh = await put(uri, nothing, `*/${SIZE}`);
    expect([fresh.status, fresh.headers.get("range")]).toEqual([308, null]);
    const first = await put(uri, new Uint8Array(2 * GRAIN), `0-${2 * GRAIN - 1}/${SIZE}`);
    expect([first.status, first.headers.get("range")]).toEqual([308, `bytes=0-${GRAIN - 1}`]);
    expect((await put(uri, new Uint8Array(GRAIN), `${2 * GRAIN}-${3 * GRAIN - 1}/${SIZE}`)).status).toBe(400);
    expect((await put(uri, new Uint8Array(GRAIN - 1), `${GRAIN}-${2 * GRAIN - 2}/${SIZE}`)).status).toBe(400);
    const second = await put(uri, new Uint8Array(GRAIN), `${GRAIN}-${2 * GRAIN - 1}/${SIZE}`);
    expect(second.headers.get("range")).toBe(`bytes=0-${2 * GRAIN - 1}`);
    expect((await put(uri, nothing, `*/${SIZE}`)).headers.get("range")).toBe(`bytes=0-${2 * GRAIN - 1}`);
  });

  test("rejects a body whose length differs from the range", async () => {
    expect((await put(await begun(), new Uint8Array(GRAIN), `0-${2 * GRAIN - 1}/${SIZE}`)).status).toBe(400);
  });

  test("the completed session returns the video id, also when repeated", async () => {
    const person = await newUser();
    const uri = (await person.open()).headers.get("location") ?? "";
    const file = mp4();
    const done = await put(uri, file, `0-${file.length - 1}/${file.length}`);
    const { id } = await done.json();
    expect([done.status, id]).toEqual([200, expect.stringMatching(/^[\w-]{11}$/)]);
    expect((await (await put(uri, file)).json()).id).toBe(id);
    expect((await (await put(uri, nothing, `*/${file.length}`)).json()).id).toBe(id);
    expect((await postsOf(person.name)).map((post) => post.id)).toEqual([id]);
  });
});

describe("processing", () => {
  test("takes one second", async () => {
    const person = await newUser();
    const id = await uploaded(person, mp4());
    expect(await person.video(id)).toMatchObject({
      status: { uploadStatus: "uploaded" },
      processingDetails: { processingStatus: "processing", processingProgress: { partsTotal: expect.any(String) } },
    });
    await sandbox.advance(1);
    expect(await person.video(id)).toMatchObject({
      status: { uploadStatus: "processed" },
      processingDetails: { processingStatus: "succeeded" },
    });
    expect(await (await newUser()).video(id)).not.toHaveProperty("processingDetails");
  });

  test("fails for files that are not videos, and rejects videos that are too long", async () => {
    const person = await newUser({ isVerified: false });
    const [fake, long] = [
      await uploaded(person, Buffer.from("no video")),
      await uploaded(person, mp4({ seconds: 902, fps: 1 })),
    ];
    await sandbox.advance(1);
    expect((await person.video(fake)).status).toMatchObject({ uploadStatus: "failed", failureReason: "invalidFile" });
    expect((await person.video(long)).status).toMatchObject({ uploadStatus: "rejected", rejectionReason: "length" });
    expect(await postsOf(person.name)).toEqual([]);
  });
});

describe("quota", () => {
  test("limits uploads to 100 a Pacific day, then returns quotaExceeded until midnight", async () => {
    await sandbox.control("POST", "youtube/project", { insertsPerDay: 100 });
    const person = await newUser();
    const opened: number[] = [];
    for (let count = 0; count <= 100; count++) opened.push((await person.open()).status);
    expect(opened.at(-1)).toBe(403);
    expect(await errorOf(await person.open())).toEqual([403, "quotaExceeded"]);
    await sandbox.advance(86_400);
    expect((await (await newUser()).open()).status).toBe(200);
    await sandbox.control("POST", "youtube/project", { insertsPerDay: 100_000 });
  });

  test("reads cost 1 unit, thumbnails 50", async () => {
    await sandbox.advance(86_400);
    const person = await newUser();
    const id = await uploaded(person, mp4());
    await sandbox.control("POST", "youtube/project", { unitsPerDay: 51 });
    expect((await person.get("channels?part=id&mine=true")).status).toBe(200);
    expect((await person.thumbnail(id, await jpeg())).status).toBe(200);
    expect(await errorOf(await person.get("channels?part=id&mine=true"))).toEqual([403, "quotaExceeded"]);
    await sandbox.control("POST", "youtube/project", { unitsPerDay: 10_000_000 });
  });

  test("limits the uploads of a channel", async () => {
    const person = await newUser({ uploadsPerDay: 1 });
    await uploaded(person, mp4());
    expect(await errorOf(await person.open())).toEqual([400, "uploadLimitExceeded"]);
  });
});

describe("thumbnails", () => {
  const wide = () => mp4({ width: 1280, height: 720 });

  test("accept JPEG and PNG", async () => {
    const person = await newUser();
    const id = await uploaded(person, wide());
    for (const bytes of [await jpeg(), await png()]) {
      expect((await person.thumbnail(id, bytes)).status).toBe(200);
      expect((await postsOf(person.name))[0]?.settings).toMatchObject({ thumbnail: { sizeBytes: bytes.length } });
    }
  });

  test("reject unknown videos, other users' videos, invalid or large files and unverified channels", async () => {
    const [person, other] = [await newUser(), await newUser({ isVerified: false })];
    const [id, theirs] = [await uploaded(person, wide()), await uploaded(other, wide())];
    expect(await errorOf(await person.thumbnail("unknown", await jpeg()))).toEqual([404, "videoNotFound"]);
    expect(await errorOf(await person.thumbnail(theirs, await jpeg()))).toEqual([404, "videoNotFound"]);
    expect(await errorOf(await person.thumbnail(id, Buffer.from("no image")))).toEqual([400, "invalidImage"]);
    expect(await errorOf(await person.thumbnail(id, await gif()))).toEqual([400, "invalidImage"]);
    expect((await person.thumbnail(id, new Uint8Array(52_428_801))).status).toBe(413);
    expect(await errorOf(await other.thumbnail(theirs, await jpeg()))).toEqual([403, "forbidden"]);
  });

  test("are ignored with 200 for a Short that is still being processed", async () => {
    const person = await newUser();
    const id = await uploaded(person, mp4());
    expect((await person.thumbnail(id, await jpeg())).status).toBe(200);
    expect((await postsOf(person.name))[0]?.settings).not.toHaveProperty("thumbnail");
    await sandbox.advance(1);
    expect((await person.thumbnail(id, await jpeg())).status).toBe(200);
    expect((await postsOf(person.name))[0]?.settings).toHaveProperty("thumbnail");
  });
});

test("the user's own playlists are listed in pages, and only with a filter", async () => {
  const person = await newUser();
  const ids = ["PLa", "PLb", "PLc"].map((id) => `${id}${person.name}`);
  for (const id of ids)
    await sandbox.control("POST", "youtube/playlist", { account: person.name, id, title: `About ${id}` });
  const first = await (await person.get("playlists?part=snippet&mine=true&maxResults=2")).json();
  const token = first.nextPageToken;
  const second = await (await person.get(`playlists?part=snippet&mine=true&maxResults=2&pageToken=${token}`)).json();
  expect([...first.items, ...second.items].map(({ id, snippet }) => [id, snippet.title])).toEqual(
    ids.map((id) => [id, `About ${id}`]),
  );
  expect(second).not.toHaveProperty("nextPageToken");
  expect((await errorOf(await person.get("playlists?part=snippet")))[0]).toBe(400);
});

test("the uploads playlist lists the channel's own videos, newest first", async () => {
  const person = await newUser();
  const ids = [await uploaded(person, mp4(), { title: "first" }), await uploaded(person, mp4(), { title: "second" })];
  const { items } = await (await person.get("channels?part=contentDetails&mine=true")).json();
  const { uploads } = items[0].contentDetails.relatedPlaylists;
  const list = await (await person.get(`playlistItems?part=snippet,contentDetails&playlistId=${uploads}`)).json();
  expect(
    list.items.map(({ contentDetails }: { contentDetails: { videoId: string } }) => contentDetails.videoId),
  ).toEqual(ids.reverse());
  expect(await errorOf(await (await newUser()).get(`playlistItems?part=snippet&playlistId=${uploads}`))).toEqual([
    404,
    "playlistNotFound",
  ]);
});
