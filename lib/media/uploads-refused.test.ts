import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { mp4 } from "../../sandbox/testing/mp4";
import { stage, store, uploadOf } from "../storage";
import { connectAccount, jpeg, readResponse } from "../testing";
import { nameInKey, type TestGrant, withGrants } from "./testing/grants";

const { mine, server, grant, put, confirm, uploaded } = withGrants();

describe("M8: the store rejects requests that differ from the grant", () => {
  const other = randomUUID();
  const without = (headers: TestGrant["headers"], name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  type Try = { method?: string; url?: string; headers?: TestGrant["headers"]; body?: Uint8Array };
  test.each<[what: string, change: (granted: TestGrant, bytes: Uint8Array) => Try]>([
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
    ["another key", ({ key, url }) => ({ url: url.replaceAll(nameInKey(key).slice(0, 36), other) })],
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
    expect(await put(granted, bytes)).toBe(200); // so only the changed part was wrong
  });

  test("a length that is not announced", async () => {
    const bytes = await jpeg();
    const granted = await grant(bytes);
    const headers = { ...granted.headers, "Transfer-Encoding": "chunked" };
    expect([403, 411]).toContain(await server.ask(granted.url, { method: "PUT", headers, body: bytes }));
    expect((await confirm(granted.key))[0]).toBe(404);
  });

  test("an expired grant", async () => {
    const { key } = await grant(await jpeg());
    const [now, expiresAt] = [new Date(Date.now() - 700_000), new Date(Date.now() - 100_000)];
    const terms = { key, contentType: "image/jpeg", sizeBytes: 3, filename: "a.jpg", now, expiresAt };
    const { url, headers } = await store.grantPut(terms);
    expect(await server.ask(url, { method: "PUT", headers, body: Buffer.from("abc") })).toBe(403);
  });
});

describe("M7: unusable bytes are removed, and the reason is kept", () => {
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
    // A valid file under the same key comes too late.
    const better = Buffer.concat([await jpeg(), Buffer.alloc(bytes.length)]).subarray(0, bytes.length);
    expect(await put(granted, better)).toBe(200);
    expect(await confirm(granted.key)).toEqual([400, { error }]);
    const { id } = await connectAccount(mine.owner, "X_TWITTER");
    const posts = [{ content: "a", attachmentPaths: [granted.key] }];
    const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
    const answer = await readResponse(
      mine.caller.post("/v1/posts", { scheduledTime: "2030-01-01T00:00:00Z", publications }),
    );
    expect(answer).toEqual([400, { error: expect.stringContaining(error) }]);
  });
});

test("M7: bytes of another length than granted are rejected even if the store accepted them", async () => {
  const bytes = await jpeg();
  const { key } = await grant(bytes);
  const longer = Readable.from([Buffer.concat([bytes, Buffer.alloc(7)])]);
  await store.put(uploadOf(key), await stage(longer, 1_000_000), "image/jpeg");
  const error = `file is corrupt or incomplete: ${bytes.length + 7} of ${bytes.length} bytes have arrived`;
  expect(await confirm(key)).toEqual([400, { error }]);
  expect(await store.read(uploadOf(key))).toBeUndefined();
});
