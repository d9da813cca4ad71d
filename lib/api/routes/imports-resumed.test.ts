import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { like } from "drizzle-orm";
import sharp, { type Create } from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, mediaImports } from "../../db";
import { imported, jpeg, withWorker } from "../../testing";
import { mediaRows, newImporter, type SourceAnswer, withSource } from "../testing/import-source";

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(900, 700);
});
const { serve, askedFor } = withSource(5);
withWorker();

/** Cuts the connection once the import has stored that it has received this many bytes of the file. */
async function cutAfter(received: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isOfRequest = like(mediaImports.sourceUrl, `%${request.url}`);
  await vi.waitFor(
    async () => {
      const [row] = await db.select().from(mediaImports).where(isOfRequest);
      expect(row?.bytesDownloaded).toBe(received);
    },
    { timeout: 30_000 },
  );
  response.destroy();
}

/** A server with range support that interrupts its first responses. Its file can change. */
function cutting(
  cuts: number,
  file: () => Buffer,
  headers: (file: Buffer) => { [name: string]: string },
): SourceAnswer {
  return (request, response, visit) => {
    const whole = file();
    const validators = headers(whole);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? Number.NaN);
    const same = Object.values(validators).includes(String(request.headers["if-range"]));
    const ranged = !Number.isNaN(from) && same;
    const part = ranged ? whole.subarray(from) : whole;
    const range = ranged ? { "content-range": `bytes ${from}-${whole.length - 1}/${whole.length}` } : {};
    response.writeHead(ranged ? 206 : 200, { "content-length": part.length, ...validators, ...range });
    if (visit >= cuts) return response.end(part);
    const sent = Math.floor(part.length / 2);
    response.write(part.subarray(0, sent));
    return cutAfter((ranged ? from : 0) + sent, request, response);
  };
}

describe.concurrent("an interrupted download is resumed", () => {
  test.each([
    { by: "a strong ETag", headers: () => ({ etag: '"one"' }) },
    { by: "a date of change", headers: () => ({ "last-modified": "Mon, 01 Jun 2026 10:00:00 GMT" }) },
  ])("by $by", async ({ headers }) => {
    const { id: ownerId, client } = await newImporter();
    const url = serve(
      "cut.jpg",
      cutting(2, () => picture, headers),
    );
    expect(await imported(client, { url })).toMatchObject({ state: "READY", totalBytes: picture.length });
    const ranges = askedFor(url).map((one) => one.headers.range);
    const half = Math.floor(picture.length / 2);
    const more = half + Math.floor((picture.length - half) / 2);
    expect(ranges).toEqual([undefined, `bytes=${half}-`, `bytes=${more}-`]);
    const [row] = await mediaRows(ownerId);
    expect(row?.digest).toEqual(createHash("blake2b512").update(picture).digest());
  });

  test.each([
    { when: "the ETag is weak", headers: () => ({ etag: 'W/"one"' }) },
    { when: "the server says that it has no ranges", headers: () => ({ etag: '"one"', "accept-ranges": "none" }) },
    { when: "there is nothing to know the file by", headers: () => ({}) },
  ])("not if $when", async ({ headers }) => {
    const { client } = await newImporter();
    const url = serve(
      "weak.jpg",
      cutting(1, () => picture, headers),
    );
    expect((await imported(client, { url })).state).toBe("READY");
    expect(askedFor(url).map((one) => one.headers.range)).toEqual([undefined, undefined]);
  });

  test("a changed file is downloaded from the start and never mixed", async () => {
    const { id: ownerId, client } = await newImporter();
    const other = await jpeg(901, 701);
    let now = picture;
    const digest = (file: Buffer) => ({ etag: `"${createHash("sha256").update(file).digest("hex")}"` });
    const answer = cutting(1, () => now, digest);
    const url = serve("changed.jpg", (request, response, visit) => {
      if (visit === 1) now = other;
      answer(request, response, visit);
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect((await mediaRows(ownerId))[0]?.digest).toEqual(createHash("blake2b512").update(other).digest());
  });

  test.each([
    { when: "answers another range", status: 206, range: "bytes 0-9/10" },
    { when: "has no such range", status: 416, range: "bytes */10" },
  ])("the whole file is requested if the server $when", async ({ status, range }) => {
    const { id: ownerId, client } = await newImporter();
    const answer = cutting(
      1,
      () => picture,
      () => ({ etag: '"one"' }),
    );
    const url = serve("odd.jpg", (request, response, visit) => {
      if (!request.headers.range) return answer(request, response, visit);
      return response.writeHead(status, { "content-range": range }).end("0123456789");
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect((await mediaRows(ownerId))[0]?.digest).toEqual(createHash("blake2b512").update(picture).digest());
  });

  test.each<{ when: string; with206: { [name: string]: string }; total?: (length: number) => number | string }>([
    { when: "another ETag", with206: { etag: '"two"' } },
    { when: "the same ETag, but weak", with206: { etag: 'W/"one"' } },
    { when: "no ETag", with206: {} },
    { when: "another length of the file", with206: { etag: '"one"' }, total: (length) => length + 1 },
  ])("the whole file is requested if the 206 has $when", async ({ with206, total = (length) => length }) => {
    const { id: ownerId, client } = await newImporter();
    const [one, other] = [await uncompressed("red"), await uncompressed("blue")]; // a mix of both is a sound picture
    const half = Math.floor(other.length / 2);
    const url = serve("two.tiff", (request, response, visit) => {
      if (visit === 0) {
        response.writeHead(200, { etag: '"one"', "content-length": one.length }).write(one.subarray(0, half));
        return cutAfter(half, request, response);
      }
      if (!request.headers.range) return response.writeHead(200, { etag: '"two"' }).end(other);
      const range = `bytes ${half}-${other.length - 1}/${total(other.length)}`;
      return response.writeHead(206, { ...with206, "content-range": range }).end(other.subarray(half));
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect((await mediaRows(ownerId))[0]?.digest).toEqual(createHash("blake2b512").update(other).digest());
  });

  test("two parts of different files are downloaded again, whatever the server claims", async () => {
    const { id: ownerId, client } = await newImporter();
    const [one, other] = [await noise(), await noise()]; // PNG, because each part has a checksum
    const half = Math.floor(other.length / 2);
    const headers = { etag: '"one"' };
    const url = serve("mixed.png", (request, response, visit) => {
      if (visit === 0) {
        response.writeHead(200, { ...headers, "content-length": other.length }).write(one.subarray(0, half));
        return cutAfter(half, request, response);
      }
      if (!request.headers.range) return response.writeHead(200, headers).end(other);
      const range = `bytes ${half}-${other.length - 1}/${other.length}`;
      return response.writeHead(206, { ...headers, "content-range": range }).end(other.subarray(half));
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect(askedFor(url).map(({ headers: { range } }) => range)).toEqual([undefined, `bytes=${half}-`, undefined]);
    expect((await mediaRows(ownerId))[0]?.digest).toEqual(createHash("blake2b512").update(other).digest());
  });
});

const uncompressed = (background: string) =>
  sharp({ create: { width: 120, height: 90, channels: 3, background } })
    .tiff({ compression: "none" })
    .toBuffer();

function noise(): Promise<Buffer> {
  const noise: Create["noise"] = { type: "gaussian", mean: 128, sigma: 50 };
  return sharp({ create: { width: 120, height: 90, channels: 3, background: "grey", noise } })
    .png()
    .toBuffer();
}
