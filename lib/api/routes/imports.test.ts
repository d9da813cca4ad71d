import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, media, mediaImports } from "../../db";
import { env } from "../../env";
import { listenForIntruders } from "../../http/testing/canary";
import { hostileUrls } from "../../http/testing/hostile-urls";
import {
  as,
  type ImportSeen,
  imported,
  jpeg,
  newOwner,
  nobody,
  reached,
  told,
  withFiles,
  withWorker,
} from "../../testing";

const PATH = "/v1/media/upload/import";
const MB = 1_048_576;

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(900, 700);
});

type Answer = (request: IncomingMessage, response: ServerResponse, visit: number) => unknown;
/** What the server answers below each path, with how often that path was asked for before. */
const answers: { [path: string]: Answer } = {};
const files = withFiles(0, (request, response, asked) => {
  const { pathname } = new URL(request.url ?? "", "http://x");
  const visit = asked.filter(({ path }) => path === request.url).length - 1;
  const answer = answers[pathname] ?? (() => response.writeHead(404).end());
  answer(request, response, visit);
});
withWorker();

/** Serves something under a path of its own. */
function serve(name: string, answer: Answer): string {
  const path = `/${randomBytes(6).toString("hex")}/${name}`;
  answers[path] = answer;
  return files().url + path;
}
const askedFor = (url: string) => files().asked.filter(({ path }) => files().url + path === url);

const owner = async () => {
  const id = await newOwner();
  return { id, client: as(id) };
};
const mediaRows = (ownerId: string) => db.select().from(media).where(eq(media.ownerId, ownerId));

describe("202", () => {
  test("a file is imported, and everything that is known of it is said", async () => {
    const { id: ownerId, client } = await owner();
    const url = serve("view?.jpg", (_, response) => response.end(picture)).replace("view?", "view");
    answers[new URL(url).pathname] = (_, response) =>
      response.writeHead(200, { "content-length": picture.length, "content-type": "text/plain" }).end(picture);
    const [status, started] = await told(client.post(PATH, { url }));
    const { id } = started as { id: number };
    expect([status, started]).toEqual([202, { id, state: "QUEUED" }]);

    const done = await reached(client, id, ["READY"]);
    expect(done).toStrictEqual({
      id,
      state: "READY",
      sourceUrl: url,
      bytesDownloaded: picture.length,
      totalBytes: picture.length,
      detectedMime: "image/jpeg",
      s3Key: expect.stringMatching(new RegExp(`^${ownerId}/[0-9a-f-]{36}\\.jpg$`)),
      errorCode: null,
      errorMessage: null,
    });
    const [row, ...others] = await mediaRows(ownerId);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ key: done.s3Key, filename: "view.jpg", width: 900, height: 700 });
    expect(row?.digest).toEqual(createHash("blake2b512").update(picture).digest());
  });

  test.each([
    { path: "a.png", hint: "holiday.jpeg", name: "holiday.jpeg" },
    { path: "download", hint: undefined, name: "download.jpg" },
    { path: "M%C3%BCnchen.JPG", hint: undefined, name: "München.JPG" },
    { path: "", hint: undefined, name: "file.jpg" },
    { path: "%ff%00", hint: "../../etc/passwd", name: "passwd.jpg" },
  ])("/$path with the hint $hint is called $name", async ({ path, hint, name }) => {
    const { id: ownerId, client } = await owner();
    const url = serve(path, (_, response) => response.end(picture));
    const { state } = await imported(client, { url, ...(hint ? { filenameHint: hint } : {}) });
    expect([state, (await mediaRows(ownerId))[0]?.filename]).toEqual(["READY", name]);
  });

  test("its state and bytes move while it runs", async () => {
    const { client } = await owner();
    let goOn = () => {};
    const url = serve("slow.jpg", (_, response) => {
      response.writeHead(200, { "content-length": picture.length });
      response.write(picture.subarray(0, 1000));
      goOn = () => response.end(picture.subarray(1000));
    });
    const { id } = (await told(client.post(PATH, { url })))[1] as ImportSeen;
    await vi.waitFor(
      async () => {
        const seen = (await told(client.get(`${PATH}/${id}`)))[1];
        expect(seen).toMatchObject({
          state: "DOWNLOADING",
          bytesDownloaded: 1000,
          totalBytes: picture.length,
          errorCode: null,
        });
        expect(seen).not.toHaveProperty("s3Key");
      },
      { timeout: 10_000 },
    );
    goOn();
    expect(await reached(client, id, ["READY"])).toMatchObject({ bytesDownloaded: picture.length });
  });

  test("the same request with one Idempotency-Key starts one import", async () => {
    const { id: ownerId, client } = await owner();
    const url = serve("once.jpg", (_, response) => response.end(picture));
    const key = { "idempotency-key": "one" };
    const [first, second] = [await client.post(PATH, { url }, key), await client.post(PATH, { url }, key)];
    expect([second.status, await second.json()]).toEqual([202, await first.json()]);
    const rows = await db.select().from(mediaImports).where(eq(mediaImports.ownerId, ownerId));
    expect(rows).toHaveLength(1);
  });
});

describe("400, 401, 403, 404", () => {
  test.each([
    { body: {}, says: "url cannot be null" },
    { body: { url: 1 }, says: "url must be a string" },
    { body: { url: "ftp://example.com/a.jpg" }, says: "url is not an http or https URL" },
    {
      body: { url: "http://user:word@example.com/" },
      says: "url holds a user name or a password, which Carillon does not send",
    },
    { body: { url: "http://example.com:6379/" }, says: "url names a port that is kept for another service" },
    { body: { url: `http://example.com/${"a".repeat(2048)}` }, says: "url must have at most 2048 characters" },
    { body: { url: "http://example.com/", filenameHint: 7 }, says: "filenameHint must be a string" },
  ])("$says", async ({ body, says }) => {
    const { client } = await owner();
    expect(await told(client.post(PATH, body))).toEqual([400, { error: says }]);
  });
  test("without a token, or with one for something else", async () => {
    const { id } = await owner();
    expect((await nobody.post(PATH, { url: "http://example.com/" })).status).toBe(401);
    expect((await as(id, ["posts.write"]).post(PATH, { url: "http://example.com/" })).status).toBe(403);
    expect((await as(id, ["posts.write"]).get(`${PATH}/1`)).status).toBe(403);
  });
  test("a foreign import is as absent as one that never was", async () => {
    const [{ client: ada }, { client: bob }] = [await owner(), await owner()];
    const url = serve("mine.jpg", (_, response) => response.end(picture));
    const { id } = await imported(ada, { url });
    const foreign = await bob.get(`${PATH}/${id}`);
    expect([foreign.status, await foreign.text()]).toEqual([404, `{"error":"Import not found: ${id}"}`]);
    for (const absent of ["999999999999", "0", "x", "1.5"]) {
      expect(await told(bob.get(`${PATH}/${absent}`))).toEqual([404, { error: `Import not found: ${absent}` }]);
    }
  });
});

describe("what cannot be imported fails for good, with the reason, and leaves nothing", () => {
  test.each<{ when: string; answer: Answer; code: string; says: string }>([
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
      says: "The file is neither an image nor a video that can be published: the type found is text/html",
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
      says: "The server sent the file packed (Content-Encoding), although Carillon asked it not to",
    },
  ])("$when: $code", async ({ answer, code, says }) => {
    const { id: ownerId, client } = await owner();
    const url = serve("file.jpg", answer);
    const failed = await imported(client, { url });
    expect(failed).toMatchObject({ state: "FAILED_PERMANENT", errorCode: code });
    expect(failed.errorMessage).toContain(says);
    expect(failed.errorMessage).not.toMatch(/127\.0\.0\.1|localhost/);
    expect(failed).not.toHaveProperty("s3Key");
    expect(await mediaRows(ownerId)).toEqual([]);
  });

  test("exactly 100 MB are taken, whatever they turn out to be", async () => {
    const { client } = await owner();
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

describe("what may pass is tried again", () => {
  test.each<{ when: string; answer: Answer; code: string; says: string }>([
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
      says: "The server cut the connection",
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
    const { client } = await owner();
    let mended = false;
    const url = serve("later.jpg", (request, r, visit) => (mended ? r.end(picture) : answer(request, r, visit)));
    const failing = await imported(client, { url }, ["FAILED_TEMPORARY"]);
    expect(failing).toMatchObject({ errorCode: code });
    expect(failing.errorMessage).toContain(says);
    mended = true;
    expect(await reached(client, failing.id, ["READY"])).toMatchObject({ errorCode: null, errorMessage: null });
  });

  test("Retry-After is honoured", async () => {
    const { client } = await owner();
    const times: number[] = [];
    const url = serve("told.jpg", (_, r, visit) => {
      times.push(performance.now());
      return visit === 0 ? r.writeHead(429, { "retry-after": "2" }).end() : r.end(picture);
    });
    expect((await imported(client, { url })).state).toBe("READY");
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  test("after 24 hours it fails for good, and says so", async () => {
    const { id: ownerId, client } = await owner();
    const url = serve("never.jpg", (_, r) => r.writeHead(500).end());
    const { id } = await imported(client, { url }, ["FAILED_TEMPORARY"]);
    const day = 86_400 / env.timeFactor;
    await db
      .update(mediaImports)
      .set({ createdAt: sql`now() - make_interval(secs => ${day})` })
      .where(eq(mediaImports.ownerId, ownerId));
    expect(await reached(client, id, ["FAILED_PERMANENT"])).toMatchObject({
      errorCode: "HTTP_STATUS",
      errorMessage: "The server answered 500 (Internal Server Error). Carillon tried for 24 hours and has stopped.",
    });
  });
});

/** A server that cuts the first answers in the middle and knows ranges; what it holds may change. */
function cutting(cuts: number, file: () => Buffer, headers: (file: Buffer) => { [name: string]: string }): Answer {
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
    response.write(part.subarray(0, Math.floor(part.length / 2)));
    setTimeout(() => response.destroy(), 50);
  };
}

describe("a download that was cut goes on where it ended", () => {
  test.each([
    { by: "a strong ETag", headers: () => ({ etag: '"one"' }) },
    { by: "a date of change", headers: () => ({ "last-modified": "Mon, 01 Jun 2026 10:00:00 GMT" }) },
  ])("by $by", async ({ headers }) => {
    const { id: ownerId, client } = await owner();
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
  ])("not where $when", async ({ headers }) => {
    const { client } = await owner();
    const url = serve(
      "weak.jpg",
      cutting(1, () => picture, headers),
    );
    expect((await imported(client, { url })).state).toBe("READY");
    expect(askedFor(url).map((one) => one.headers.range)).toEqual([undefined, undefined]);
  });

  test("a file that changed meanwhile is fetched anew, and is never two halves", async () => {
    const { id: ownerId, client } = await owner();
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
  ])("a server that $when is asked for the whole", async ({ status, range }) => {
    const { id: ownerId, client } = await owner();
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
});

describe("one import is worked on by one worker, and is ready once", () => {
  test("who was taken for dead finds its claim gone, and stores nothing", async () => {
    const { id: ownerId, client } = await owner();
    const waiting: (() => void)[] = [];
    const url = serve("twice.jpg", (_, response) => {
      response.writeHead(200, { "content-length": picture.length }).write(picture.subarray(0, 100));
      waiting.push(() => response.end(picture.subarray(100)));
    });
    const { id } = (await told(client.post(PATH, { url })))[1] as ImportSeen;
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 10_000 });
    await db
      .update(mediaImports)
      .set({ leaseUntil: sql`now() - interval '1 second'`, leaseWorker: null })
      .where(eq(mediaImports.id, id));
    await db.execute(
      sql`select graphile_worker.add_job('media.import', json_build_object('importId', ${id}::int), job_key := ${`import:${id}`})`,
    );
    await vi.waitFor(() => expect(waiting).toHaveLength(2), { timeout: 10_000 });
    for (const finish of waiting) finish();
    await reached(client, id, ["READY"]);
    expect(await mediaRows(ownerId)).toHaveLength(1);
    const { rows } = await db.execute(sql`select 1 from graphile_worker.jobs where key = ${`import:${id}`}`);
    expect(rows).toEqual([]);
  });

  test("slow servers hold up neither others' imports nor more than three of their own", async () => {
    const [{ client: slow }, { client: quick }] = [await owner(), await owner()];
    const open: ServerResponse[] = [];
    const endless = serve("endless.jpg", (_, response) => {
      open.push(response.writeHead(200));
      response.write("x");
    });
    for (let n = 0; n < 8; n++) await slow.post(PATH, { url: `${endless}?${n}` });
    await vi.waitFor(() => expect(open).toHaveLength(3), { timeout: 10_000 });
    const url = serve("quick.jpg", (_, response) => response.end(picture));
    expect((await imported(quick, { url })).state).toBe("READY");
    expect(open).toHaveLength(3);
    for (let n = 0; n < 8; n++) await vi.waitFor(() => (open[n] as ServerResponse).end(), { timeout: 10_000 });
  });
});

test("T16: no hostile URL is called through this door", async () => {
  const canary = await listenForIntruders();
  const { client } = await owner();
  const hostile = [
    ...hostileUrls(canary.port),
    { url: `http://localhost:${canary.port}/`, refusal: "BLOCKED_ADDRESS" },
  ];
  expect(hostile.length).toBeGreaterThanOrEqual(150);
  const started: { url: string; id: number }[] = [];
  for (const { url, refusal } of hostile) {
    const [status, body] = await told(client.post(PATH, { url }));
    expect([url, status]).toEqual([url, refusal === "INVALID_URL" ? 400 : 202]);
    if (status === 202) started.push({ url, id: (body as ImportSeen).id });
  }
  for (const { url, id } of started) {
    const { state, errorCode } = await reached(client, id, ["FAILED_PERMANENT"]);
    expect([url, state, errorCode]).toEqual([url, "FAILED_PERMANENT", "BLOCKED_ADDRESS"]);
  }
  expect(canary.hits).toBe(0);
  await canary.close();
}, 60_000);
