import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { env } from "../../env";
import { type Client, jpeg, nobody, picture, readResponse, upload } from "../../testing";
import { type FilePage, isStored, newLibrary } from "../../testing/media";

type View = { key: string; path: string; url: string };

let owner: string;
let caller: Client;
let list: (query?: string) => Promise<FilePage>;

beforeEach(async () => {
  ({ owner, caller, list } = await newLibrary());
});

test("GET /v1/media: 200 with all known facts and a working address", async () => {
  const bytes = await jpeg(40, 30);
  const [, { path }] = (await readResponse(upload(caller, bytes, "Holiday.JPG"))) as [number, View];
  const page = await list();
  expect(page).toEqual({
    items: [
      {
        key: path.split("/")[1],
        path,
        filename: "Holiday.JPG",
        contentType: "image/jpeg",
        sizeBytes: bytes.length,
        width: 40,
        height: 30,
        labels: [],
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
  expect(served.headers.get("content-disposition")).toBe("inline");
  expect([served.status, Buffer.from(await served.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
});

test("GET /v1/media: a file is saved under its name when its address is opened with `download`", async () => {
  await readResponse(upload(caller, await jpeg(40, 30), "The bell's “Großes” (1).jpg"));
  const [item] = (await list()).items;
  const served = await nobody.request(`${item?.url.replace(env.appUrl, "")}&download`);
  expect([served.status, served.headers.get("content-disposition")]).toEqual([
    200,
    "attachment; filename*=UTF-8''The%20bell%27s%20%E2%80%9CGro%C3%9Fes%E2%80%9D%20%281%29.jpg",
  ]);
  await served.arrayBuffer();
});

test("DELETE /v1/media/{key}: 204: deletes the row, the object and its address", async () => {
  const path = await picture(owner);
  const [item] = (await list()).items;
  expect(await isStored(path)).toBe(true);
  expect(await readResponse(caller.delete(`/v1/media/${item?.key}`))).toEqual([204, ""]);
  expect(await isStored(path)).toBe(false);
  expect((await nobody.request((item?.url ?? "").replace(env.appUrl, ""))).status).toBe(404);
  expect(await list()).toEqual({ items: [], nextCursor: null });
});
