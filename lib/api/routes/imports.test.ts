import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, mediaImports } from "../../db";
import { as, type ImportSeen, imported, jpeg, nobody, reached, readResponse, withWorker } from "../../testing";
import { mediaRows, newImporter, withSource } from "../testing/import-source";

const PATH = "/v1/media/upload/import";

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(900, 700);
});
const { serve } = withSource(0);
withWorker();

describe("202", () => {
  test("a file is imported with all of its facts", async () => {
    const { id: ownerId, client } = await newImporter();
    const headers = { "content-length": picture.length, "content-type": "text/plain" };
    const url = serve("view.jpg", (_, response) => response.writeHead(200, headers).end(picture));
    const [status, started] = await readResponse(client.post(PATH, { url }));
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
    const { id: ownerId, client } = await newImporter();
    const url = serve(path, (_, response) => response.end(picture));
    const { state } = await imported(client, { url, ...(hint ? { filenameHint: hint } : {}) });
    expect([state, (await mediaRows(ownerId))[0]?.filename]).toEqual(["READY", name]);
  });

  test("its state and bytes are updated while it runs", async () => {
    const { client } = await newImporter();
    let isReleased = false;
    const waiting: (() => void)[] = [];
    const url = serve("slow.jpg", (_, response) => {
      response.writeHead(200, { "content-length": picture.length });
      response.write(picture.subarray(0, 1000));
      const finish = () => response.end(picture.subarray(1000));
      if (isReleased) finish();
      else waiting.push(finish);
    });
    const { id } = (await readResponse(client.post(PATH, { url })))[1] as ImportSeen;
    await vi.waitFor(
      async () => {
        const seen = (await readResponse(client.get(`${PATH}/${id}`)))[1];
        expect(seen).toMatchObject({
          state: "DOWNLOADING",
          bytesDownloaded: 1000,
          totalBytes: picture.length,
          errorCode: null,
        });
        expect(seen).not.toHaveProperty("s3Key");
      },
      { timeout: 45_000 },
    );
    isReleased = true;
    for (const finish of waiting) finish();
    expect(await reached(client, id, ["READY"])).toMatchObject({ bytesDownloaded: picture.length });
  });

  test("the same request with one Idempotency-Key starts one import", async () => {
    const { id: ownerId, client } = await newImporter();
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
      says: "url contains a user name or a password, which Carillon does not send",
    },
    { body: { url: "http://example.com:6379/" }, says: "url uses a port that is reserved for another service" },
    { body: { url: `http://example.com/${"a".repeat(2048)}` }, says: "url must have at most 2048 characters" },
    { body: { url: "http://example.com/", filenameHint: 7 }, says: "filenameHint must be a string" },
    {
      body: { url: "ftp://x", filenameHint: 7 },
      says: "url is not an http or https URL; filenameHint must be a string",
    },
  ])("$says", async ({ body, says }) => {
    const { client } = await newImporter();
    expect(await readResponse(client.post(PATH, body))).toEqual([400, { error: says }]);
  });
  test("401 without a token, 403 without the scope", async () => {
    const { id } = await newImporter();
    expect((await nobody.post(PATH, { url: "http://example.com/" })).status).toBe(401);
    expect((await as(id, ["posts.write"]).post(PATH, { url: "http://example.com/" })).status).toBe(403);
    expect((await as(id, ["posts.write"]).get(`${PATH}/1`)).status).toBe(403);
  });
  test("404 for someone else's import, as for a missing one", async () => {
    const [{ client: ada }, { client: bob }] = [await newImporter(), await newImporter()];
    const url = serve("mine.jpg", (_, response) => response.end(picture));
    const { id } = await imported(ada, { url });
    const foreign = await bob.get(`${PATH}/${id}`);
    expect([foreign.status, await foreign.text()]).toEqual([404, `{"error":"Import not found: ${id}"}`]);
    for (const absent of ["999999999999", "0", "x", "1.5"]) {
      expect(await readResponse(bob.get(`${PATH}/${absent}`))).toEqual([404, { error: `Import not found: ${absent}` }]);
    }
  });
});
describe("one worker runs an import, and it becomes ready once", () => {
  test("a worker presumed dead loses its claim and stores nothing", async () => {
    const { id: ownerId, client } = await newImporter();
    const waiting: (() => void)[] = [];
    let isReleased = false;
    const url = serve("twice.jpg", (_, response) => {
      response.writeHead(200, { "content-length": picture.length }).write(picture.subarray(0, 100));
      const finish = () => response.end(picture.subarray(100));
      waiting.push(finish);
      if (isReleased) finish();
    });
    const { id } = (await readResponse(client.post(PATH, { url })))[1] as ImportSeen;
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 45_000 });
    await db
      .update(mediaImports)
      .set({ claimUntil: sql`now() - interval '1 second'`, claimWorker: null })
      .where(eq(mediaImports.id, id));
    await db.execute(
      sql`select graphile_worker.add_job('media.import', json_build_object('importId', ${id}::int), job_key := ${`import:${id}`})`,
    );
    await vi.waitFor(() => expect(waiting).toHaveLength(2), { timeout: 45_000 });
    isReleased = true;
    for (const finish of waiting) finish();
    await reached(client, id, ["READY"]);
    expect(await mediaRows(ownerId)).toHaveLength(1);
    const { rows } = await db.execute(sql`select 1 from graphile_worker.jobs where key = ${`import:${id}`}`);
    expect(rows).toEqual([]);
  });

  test("slow servers delay neither other owners' imports nor more than three of their own", async () => {
    const [{ client: slow }, { client: quick }] = [await newImporter(), await newImporter()];
    const open: ServerResponse[] = [];
    const endless = serve("endless.jpg", (_, response) => {
      open.push(response.writeHead(200));
      response.write("x");
    });
    for (let n = 0; n < 8; n++) await slow.post(PATH, { url: `${endless}?${n}` });
    await vi.waitFor(() => expect(open).toHaveLength(3), { timeout: 45_000 });
    const url = serve("quick.jpg", (_, response) => response.end(picture));
    expect((await imported(quick, { url })).state).toBe("READY");
    expect(open).toHaveLength(3);
    for (let n = 0; n < 8; n++) await vi.waitFor(() => (open[n] as ServerResponse).end(), { timeout: 45_000 });
  });
});
