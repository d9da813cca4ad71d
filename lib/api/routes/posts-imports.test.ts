import { beforeAll, describe, expect, test, vi } from "vitest";
import { jpeg, picture as pictureOf, postsOn, reached, readResponse, settled, withWorker } from "../../testing";
import { type SourceAnswer, withSource } from "../testing/import-source";
import {
  create,
  newX,
  postWithUrls,
  tomorrow,
  type UrlPost,
  waitForStatus,
  withPausedFile,
} from "../testing/posts-of-urls";

let picture: Buffer;
beforeAll(async () => {
  picture = await jpeg(800, 800);
});
const { serve: serveAs } = withSource(1);
const serve = (answer: SourceAnswer) => serveAs("picture.jpg", answer);
const held = () => withPausedFile(serveAs, () => picture);
withWorker();

describe.concurrent("public URLs among the attachments", () => {
  test("AWAITING_MEDIA with an entry for each, then SCHEDULED with the keys in place", async () => {
    const { ownerId, client, id: account } = await newX();
    const [one, two] = [held(), held()];
    const own = await pictureOf(ownerId);
    const created = await create(
      client,
      postWithUrls(account, [
        [own, one.url],
        [two.url, one.url],
      ]),
    );
    const [first, second] = created.publications[0]?.posts ?? [];
    expect(created.overallStatus).toBe("AWAITING_MEDIA");
    expect(first?.attachmentPaths).toEqual([own, one.url]);
    const entry = (postId: number | undefined, attachmentIndex: number, sourceUrl: string) => ({
      postId,
      attachmentIndex,
      importTaskId: expect.any(Number),
      sourceUrl,
      state: "QUEUED",
    });
    expect(created.pendingImports).toStrictEqual([
      entry(first?.id, 1, one.url),
      entry(second?.id, 0, two.url),
      entry(second?.id, 1, one.url),
    ]);
    const [a, b, again] = created.pendingImports?.map(({ importTaskId }) => importTaskId) ?? [];
    expect([again, new Set([a, b]).size]).toEqual([a, 2]);

    await one.release();
    const { s3Key } = await reached(client, a ?? 0, ["READY"]);
    await vi.waitFor(
      async () => {
        const seen = (await readResponse(client.get(`/v1/posts/${created.id}`)))[1] as UrlPost;
        expect(seen.publications[0]?.posts[1]?.attachmentPaths).toEqual([two.url, s3Key]);
        expect(seen.overallStatus).toBe("AWAITING_MEDIA");
        expect(seen.pendingImports).toEqual([expect.objectContaining({ sourceUrl: two.url, state: "DOWNLOADING" })]);
      },
      { timeout: 45_000 },
    );
    await two.release();
    const done = await waitForStatus(client, created.id, "SCHEDULED");
    expect(done).not.toHaveProperty("pendingImports");
    expect(done.publications[0]?.posts[0]?.attachmentPaths).toEqual([own, s3Key]);
    expect(await readResponse(client.get("/v1/posts?status=AWAITING_MEDIA"))).toEqual([
      200,
      { items: [], nextCursor: null },
    ]);
  });

  test("a schedule that becomes due meanwhile is published once when its media have arrived", async () => {
    const { client, id: account, person } = await newX();
    const slow = held();
    const { id } = await create(client, postWithUrls(account, [[slow.url]], new Date().toISOString()));
    await slow.release();
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
    const posts = await postsOn("x", person);
    expect(posts.map(({ media: attached }) => attached.length)).toEqual([1]);
  });

  test("twelve imports that end at the same instant settle the schedule once", async () => {
    const { client, id: account, person } = await newX();
    const all = Array.from({ length: 12 }, held);
    const posts = [all.slice(0, 4), all.slice(4, 8), all.slice(8)].map((some) => some.map(({ url }) => url));
    const { id } = await create(client, postWithUrls(account, posts, new Date().toISOString()));
    await Promise.all(all.map(({ release }) => release()));
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", person)).toHaveLength(3);
  });

  test("the flat body accepts them too", async () => {
    const { client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const flat = {
      platform: "X_TWITTER",
      accountId: account,
      content: "Flat",
      mediaPaths: [url],
      scheduledTime: tomorrow(),
    };
    const { id, overallStatus } = await create(client, flat);
    expect(overallStatus).toBe("AWAITING_MEDIA");
    await waitForStatus(client, id, "SCHEDULED");
  });

  test("a draft's are imported at once, and it stays a draft", async () => {
    const { client, id: account } = await newX();
    const url = serve((_, response) => response.end(picture));
    const draft = await create(client, postWithUrls(account, [[url]], undefined, { isDraft: true }));
    expect([draft.overallStatus, draft.pendingImports?.length]).toEqual(["DRAFT", 1]);
    await vi.waitFor(
      async () => {
        const seen = (await readResponse(client.get(`/v1/posts/${draft.id}`)))[1] as UrlPost;
        expect(seen.overallStatus).toBe("DRAFT");
        expect(seen.publications[0]?.posts[0]?.attachmentPaths[0]).toMatch(/^[0-9a-f-]{36}\//);
      },
      { timeout: 45_000 },
    );
  });
});
