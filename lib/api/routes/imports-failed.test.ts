import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, mediaImports } from "../../db";
import { env } from "../../env";
import { imported, jpeg, nothingLeft, reached, unowned, withWorker } from "../../testing";
import { mediaRows, newImporter, type SourceAnswer, withSource } from "../testing/import-source";

const MB = 1_048_576;

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(900, 700);
});
const { serve } = withSource(4);
withWorker();

describe("a permanent failure has a reason and leaves no data", () => {
  test.each<{ when: string; answer: SourceAnswer; code: string; says: string }>([
    {
      when: "404",
      answer: (_, r) => r.writeHead(404).end(),
      code: "HTTP_STATUS",
      says: "The server answered 404 (Not Found)",
    },
    {
      when: "nothing there",
      answer: (_, r) => r.writeHead(204).end(),
      code: "HTTP_STATUS",
      says: "The server answered 204 (No Content)",
    },
    {
      when: "a redirect inside",
      answer: (_, r) => r.writeHead(302, { location: `http://localhost:${env.port}/` }).end(),
      code: "BLOCKED_ADDRESS",
      says: "The URL does not lead to a public address",
    },
    {
      when: "a redirect to a file",
      answer: (_, r) => r.writeHead(302, { location: "file:///etc/passwd" }).end(),
      code: "INVALID_URL",
      says: "The server redirects to a URL that Carillon does not call",
    },
    {
      when: "too many bytes announced",
      answer: (_, r) => r.writeHead(200, { "content-length": 100 * MB + 1 }).write("x"),
      code: "TOO_LARGE",
      says: "The file is too large: the maximum is 100 MB",
    },
    {
      when: "too many bytes sent",
      answer: (_, r) => Readable.from(pieces(100 * MB + 1)).pipe(r),
      code: "TOO_LARGE",
      says: "The file is too large: the maximum is 100 MB",
    },
    {
      when: "a page",
      answer: (_, r) => r.writeHead(200, { "content-type": "image/jpeg" }).end("<html>not a picture</html>"),
      code: "UNSUPPORTED_TYPE",
      says: "The file is neither an image, a video nor a PDF that can be published: the type found is text/html",
    },
    {
      when: "half a picture",
      answer: (_, r) => r.end(picture.subarray(0, picture.length / 2)),
      code: "CORRUPT_FILE",
      says: "The file is corrupt or incomplete",
    },
    {
      when: "a packed picture",
      answer: (_, r) => r.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(picture)),
      code: "UNSUPPORTED_TYPE",
      says: "The server sent a compressed file (Content-Encoding), although Carillon asked for an uncompressed one",
    },
  ])("$when: $code", async ({ answer, code, says }) => {
    const { id: ownerId, client } = await newImporter();
    const before = await unowned();
    const url = serve("file.jpg", answer);
    const failed = await imported(client, { url });
    expect(failed).toMatchObject({ state: "FAILED_PERMANENT", errorCode: code });
    expect(failed.errorMessage).toContain(says);
    expect(failed.errorMessage).not.toMatch(/127\.0\.0\.1|localhost/);
    expect(failed).not.toHaveProperty("s3Key");
    expect(await mediaRows(ownerId)).toEqual([]);
    await nothingLeft(before);
  });

  test("a file of exactly 100 MB is accepted, whatever its type", async () => {
    const { client } = await newImporter();
    const url = serve("big.bin", (_, r) => {
      r.writeHead(200, { "content-length": 100 * MB });
      Readable.from(pieces(100 * MB)).pipe(r);
    });
    expect(await imported(client, { url })).toMatchObject({ errorCode: "UNSUPPORTED_TYPE", bytesDownloaded: 100 * MB });
  });
});

function* pieces(bytes: number) {
  const piece = Buffer.alloc(MB);
  for (let left = bytes; left > 0; left -= MB) yield piece.subarray(0, Math.min(MB, left));
}

describe.concurrent("a temporary failure is retried", () => {
  test.each<{ when: string; answer: SourceAnswer; code: string; says: string }>([
    {
      when: "503",
      answer: (_, r) => r.writeHead(503).end(),
      code: "HTTP_STATUS",
      says: "The server answered 503 (Service Unavailable)",
    },
    {
      when: "429",
      answer: (_, r) => r.writeHead(429, { "retry-after": "1" }).end(),
      code: "HTTP_STATUS",
      says: "The server answered 429 (Too Many Requests)",
    },
    {
      when: "a cut connection",
      answer: (_, r) => r.destroy(),
      code: "CONNECTION_FAILED",
      says: "The server closed the connection",
    },
    {
      when: "less than was announced",
      answer: (_, r) => {
        r.writeHead(200, { "content-length": picture.length }).write(picture.subarray(0, 500));
        setTimeout(() => r.destroy(), 50);
      },
      code: "CONNECTION_FAILED",
      says: "The server",
    },
  ])("$when", async ({ answer, code, says }) => {
    const { client } = await newImporter();
    let fixed = false;
    const url = serve("later.jpg", (request, r, visit) => (fixed ? r.end(picture) : answer(request, r, visit)));
    const failing = await imported(client, { url }, ["FAILED_TEMPORARY"]);
    expect(failing).toMatchObject({ errorCode: code });
    expect(failing.errorMessage).toContain(says);
    fixed = true;
    expect(await reached(client, failing.id, ["READY"])).toMatchObject({ errorCode: null, errorMessage: null });
  });

  test("Retry-After is respected", async () => {
    const { client } = await newImporter();
    const times: number[] = [];
    const url = serve("told.jpg", (_, r, visit) => {
      times.push(performance.now());
      return visit === 0 ? r.writeHead(429, { "retry-after": "2" }).end() : r.end(picture);
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  test("fails permanently after 24 hours, with a message", async () => {
    const { id: ownerId, client } = await newImporter();
    const url = serve("never.jpg", (_, r) => r.writeHead(500).end());
    const { id } = await imported(client, { url }, ["FAILED_TEMPORARY"]);
    const day = 86_400 / env.timeFactor;
    await db
      .update(mediaImports)
      .set({ createdAt: sql`now() - make_interval(secs => ${day})` })
      .where(eq(mediaImports.ownerId, ownerId));
    expect(await reached(client, id, ["FAILED_PERMANENT"])).toMatchObject({
      errorCode: "HTTP_STATUS",
      errorMessage: "The server answered 500 (Internal Server Error). Carillon tried for 24 hours and gave up.",
    });
  });
});

describe("an import of a file for which there is no room", () => {
  /** Imports with these settings until it is in this state, and then restores them. */
  async function importedWith(settings: Partial<typeof env>, state: string) {
    const { client } = await newImporter();
    const url = serve("no-room.jpg", (_, r) => r.end(picture));
    const kept = { quotas: env.quotas, reservedDiskBytes: env.reservedDiskBytes };
    Object.assign(env, settings);
    try {
      return { client, seen: await imported(client, { url }, [state]) };
    } finally {
      Object.assign(env, kept);
    }
  }

  test("fails if its user's quota is used up, and says how much is used", async () => {
    const { seen } = await importedWith({ quotas: { ...env.quotas, mediaBytes: 1_000 } }, "FAILED_PERMANENT");
    expect(seen).toMatchObject({
      errorCode: "STORAGE_FAILED",
      errorMessage: expect.stringMatching(/^Your files use 0 of 1,000 bytes, and this file has [\d,]+\. Delete files/),
    });
  });

  test("waits while the disk has no space above the reserve", async () => {
    const { client, seen } = await importedWith({ reservedDiskBytes: Number.MAX_SAFE_INTEGER }, "FAILED_TEMPORARY");
    expect(seen).toMatchObject({
      errorCode: "STORAGE_FAILED",
      errorMessage: expect.stringContaining("The disk of the service is full"),
    });
    expect(await reached(client, seen.id, ["READY"])).toMatchObject({ errorCode: null, errorMessage: null });
  });
});
