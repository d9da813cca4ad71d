import { expect, test } from "vitest";
import { jpeg, readResponse } from "../testing";
import { withGrants } from "./testing/grants";

const { mine, server, confirm, uploaded } = withGrants();

test("M10: is served with the detected type, without scripts, and in ranges", async () => {
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

test("the library shows the facts from the bytes, with a thumbnail", async () => {
  const { key } = await uploaded(await jpeg(640, 480));
  await confirm(key);
  const [, { items }] = (await readResponse(mine.caller.get("/v1/media?limit=1"))) as [
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
