import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api } from "../api";
import { env } from "../env";
import {
  as,
  connect,
  fault,
  newOwner,
  picture,
  postsOn,
  schedule,
  settled,
  told,
  upload,
  withWorker,
} from "../testing";

const TIME = "2031-05-01T12:00:00Z";

withWorker();

// Instagram fetches the files itself, from the product's own address.
const server = createServer(getRequestListener(api.fetch));
beforeAll(() => new Promise<void>((resolve) => server.listen(env.port, "localhost", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connect(owner, "INSTAGRAM");
  const images = [await picture(owner), await picture(owner, 500, 500)];
  const on = (content: string, attachmentPaths: string[], publicationType = "FEED") => ({
    socialMediaAccountId: id,
    platformSettings: { type: "INSTAGRAM", publicationType },
    posts: [{ content, attachmentPaths }],
  });
  return { client: as(owner), person, images, one: images.slice(0, 1), on };
}

const said = async (person: string) =>
  (await postsOn("instagram", person)).map(({ text, media }) => [text, media.length]).sort();

describe("every format goes out once", () => {
  // Tried again: the workers of other test files take its jobs too, and come and go in the middle of them.
  test("an image, a carousel and stories", { retry: 2, timeout: 60_000 }, async () => {
    const { client, person, images, one, on } = await owned();
    const made = await schedule(client, [on("an image", one), on("a carousel", images), on("", images, "STORY")]);
    const seen = await settled(client, made.id, 50_000);
    expect(seen).toMatchObject({ overallStatus: "COMPLETED" });
    expect(await said(person)).toEqual(
      [
        ["", 1],
        ["", 1],
        ["a carousel", 2],
        ["an image", 1],
      ].sort(),
    );
    const ids = (await postsOn("instagram", person)).map(({ id }) => id);
    for (const { posts } of seen.publications) expect(ids).toContain(posts[0]?.networkPostId);
  });
});

describe("an image that Instagram would refuse", () => {
  test("is said beforehand, and goes out as a JPEG that it takes", { retry: 2, timeout: 60_000 }, async () => {
    const { client, person, on } = await owned();
    const png = await sharp({ create: { width: 400, height: 400, channels: 4, background: "#2266aa80" } })
      .png()
      .toBuffer();
    const [, body] = await told(upload(client, png, "a.png"));
    const publications = [on("a PNG", [(body as { path: string }).path])];
    const checked = await told(client.post("/v1/posts/validate", { scheduledTime: TIME, publications }));
    expect(checked).toEqual([
      200,
      { valid: true, problems: [expect.objectContaining({ rule: "image.converted", severity: "warning" })] },
    ]);
    const seen = await settled(client, (await schedule(client, publications)).id, 50_000);
    expect(seen).toMatchObject({ overallStatus: "COMPLETED" });
    const [post] = await postsOn("instagram", person);
    expect(post).toMatchObject({ text: "a PNG", media: [{ type: "image/jpeg" }] });
  });
});

describe("a call whose handle makes a repeat harmless", () => {
  test.each(["drop_response", "http_500"])("%s on the final call: one post, and it is PUBLISHED", async (name) => {
    const { client, person, one, on } = await owned();
    await fault({ network: "instagram", operation: "publish", fault: name });
    const seen = await settled(client, (await schedule(client, [on(`after ${name}`, one)])).id, 18_000);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await said(person)).toEqual([[`after ${name}`, 1]]);
    const [post] = await postsOn("instagram", person);
    expect(seen.publications[0]?.posts[0]).toMatchObject({ networkPostId: post?.id, permalink: post?.permalink });
  });
});
