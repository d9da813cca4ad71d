import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PackedFiles } from "./packed-files";

const SCRIPT = "export const bells = 10;";
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-packed-"));
  await mkdir(join(folder, "static/chunks"), { recursive: true });
  await writeFile(join(folder, "static/chunks/0a~b-c_d.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "static/chunks/picture.png.br"), brotliCompressSync("no script"));
  await writeFile(join(folder, "secret.js.br"), brotliCompressSync("not ours to show"));
  const files = new PackedFiles(join(folder, "static"));
  server = createServer(async (request, response) => {
    const isAnswered = await files.answer(request, response, request.url?.split("?", 1)[0] ?? "/");
    if (!isAnswered) response.end("Next's");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const FILE = "/_next/static/chunks/0a~b-c_d.js";

/** Sends a raw request: `fetch` would decompress the body and add headers. */
async function ask(path: string, { method = "GET", ...headers }: { [header: string]: string } = {}) {
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is not a path
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const given = { "accept-encoding": "gzip, deflate, br, zstd", connection: "close", ...headers };
    get({ host: "127.0.0.1", port, path, method, headers: given }, resolve).on("error", reject);
  });
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode, headers: answer.headers, body };
}

test("sends a packed file unchanged, to be cached forever", async () => {
  for (const path of [FILE, `${FILE}?v=1`, FILE]) {
    const { status, headers, body } = await ask(path);
    expect([status, brotliDecompressSync(body).toString()]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      "content-type": "application/javascript; charset=UTF-8",
      "content-encoding": "br",
      "content-length": String(body.length),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  }
});

test("HEAD sends the same headers without the file", async () => {
  const { status, headers, body } = await ask(FILE, { method: "HEAD" });
  expect([status, headers["content-encoding"], body.length]).toEqual([200, "br", 0]);
});

describe("is left to Next:", () => {
  test.each<{ what: string; path: string; given: { [header: string]: string } }>([
    { what: "a browser without Brotli", path: FILE, given: { "accept-encoding": "gzip, deflate" } },
    { what: "a browser that refuses Brotli", path: FILE, given: { "accept-encoding": "gzip, br;q=0" } },
    {
      what: "a browser that refuses Brotli with spaces and decimals",
      path: FILE,
      given: { "accept-encoding": "br ; q=0.000, gzip" },
    },
    { what: "an encoding whose name only begins with br", path: FILE, given: { "accept-encoding": "gzip, brx" } },
    { what: "a range of a file", path: FILE, given: { range: "bytes=0-3" } },
    { what: "a file that was not packed", path: "/_next/static/chunks/other.js", given: {} },
    { what: "another type", path: "/_next/static/chunks/picture.png", given: {} },
    { what: "a file outside the folder, with dots", path: "/_next/static/../secret.js", given: {} },
    { what: "a file outside the folder, with escaped dots", path: "/_next/static/%2e%2e/secret.js", given: {} },
    { what: "a POST", path: FILE, given: { method: "POST" } },
  ])("$what", async ({ path, given }) => {
    expect((await ask(path, given)).body.toString()).toBe("Next's");
  });

  test("any weight above 0 accepts Brotli", async () => {
    const { headers } = await ask(FILE, { "accept-encoding": "gzip;q=0.5, br;q=0.01" });
    expect(headers["content-encoding"]).toBe("br");
  });
});
