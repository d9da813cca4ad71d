import sharp from "sharp";
import { describe, expect, test } from "vitest";
import {
  as,
  clip,
  connect,
  newOwner,
  picture,
  postsOn,
  schedule,
  settled,
  told,
  uploaded,
  withWorker,
} from "../../testing";
import { withApiServed } from "../../testing/served";

const TIME = "2031-05-01T12:00:00Z";

withWorker();

withApiServed(); // Instagram fetches the files itself, from the product's own address

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connect(owner, "INSTAGRAM");
  const images = [await picture(owner), await picture(owner, 500, 500)];
  const on = (content: string, attachmentPaths: string[], publicationType = "FEED", thumbnailPath?: string) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "INSTAGRAM", publicationType },
    posts: [{ content, attachmentPaths, thumbnailPath }],
  });
  return { owner, client: as(owner), person, images, one: images.slice(0, 1), on };
}

const said = async (person: string) =>
  (await postsOn("instagram", person)).map(({ text, media }) => [text, media.length]).sort();

describe("every format goes out once", () => {
  test("an image, a carousel and stories", { timeout: 60_000 }, async () => {
    const { client, person, images, one, on } = await owned();
    const made = await schedule(client, [on("an image", one), on("a carousel", images), on("", images, "STORY")]);
    const seen = await settled(client, made.id);
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

  test("a reel with its cover, a mixed carousel and a video story", { timeout: 60_000 }, async () => {
    const { owner, client, person, one, on } = await owned();
    const [cover = ""] = one;
    const video = await clip(owner);
    const made = await schedule(client, [
      on("a reel", [video], "REELS", cover),
      on("both", [video, cover]),
      on("", [video], "STORY"),
    ]);
    const seen = await settled(client, made.id);
    expect(seen).toMatchObject({ overallStatus: "COMPLETED" });
    const posts = await postsOn("instagram", person);
    const kinds = posts.map(({ text, media }) => [text, media.map(({ type }) => type)]);
    expect(kinds.sort()).toEqual([
      ["", ["video/mp4"]],
      ["a reel", ["video/mp4"]],
      ["both", ["video/mp4", "image/jpeg"]],
    ]);
    const reel = posts.find(({ text }) => text === "a reel");
    expect(reel).toMatchObject({ settings: { cover_url: expect.stringContaining("/media/") } });
  });
});

describe("an image that Instagram would reject", () => {
  test("has a warning, and goes out as a JPEG", { timeout: 60_000 }, async () => {
    const { client, person, on } = await owned();
    const png = await sharp({ create: { width: 400, height: 400, channels: 4, background: "#2266aa80" } })
      .png()
      .toBuffer();
    const publications = [on("a PNG", [await uploaded(client, png, "a.png")])];
    const checked = await told(client.post("/v1/posts/validate", { scheduledTime: TIME, publications }));
    expect(checked).toEqual([
      200,
      { valid: true, problems: [expect.objectContaining({ rule: "image.converted", severity: "warning" })] },
    ]);
    const seen = await settled(client, (await schedule(client, publications)).id);
    expect(seen).toMatchObject({ overallStatus: "COMPLETED" });
    const [post] = await postsOn("instagram", person);
    expect(post).toMatchObject({ text: "a PNG", media: [{ type: "image/jpeg" }] });
  });
});
