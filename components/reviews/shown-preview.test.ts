import { expect, test } from "vitest";
import type { ReviewPublication } from "@/lib/reviews";
import { previewOfShown } from "./shown-preview";

const gif = { contentType: "image/gif", width: 640, height: 640, durationSeconds: 2, frames: 9 };

const shown: ReviewPublication = {
  id: 1,
  platform: "TELEGRAM",
  network: "Telegram",
  account: "bells",
  author: { username: "bells", displayName: "The Bells" },
  settings: { type: "TELEGRAM", odd: { deep: 1 } },
  destinations: [{ id: "-1001", title: "The tower", type: "channel" }],
  posts: [
    {
      id: 1,
      content: "One",
      chatId: "-1001",
      files: [
        { name: "a.jpg", isVideo: false, url: "https://c.example/media/1" },
        {
          name: "b.mp4",
          isVideo: true,
          url: "https://c.example/media/2",
          thumbnailUrl: "https://c.example/media/2/thumbnail",
        },
      ],
      missing: [],
      requests: [],
    },
    {
      id: 2,
      content: "Two",
      files: [{ name: "A file that is not available yet", isVideo: false }],
      missing: ["7c0b6a52-8a8f-4d0e-9a53-2f6c1b1f4e11/0d9f0b5c.jpg"],
      requests: [],
    },
  ],
};

test("shows author, destination and files like the composer", () => {
  expect(previewOfShown(shown, "2026-11-30T08:00:00.000Z").time).toBe("30 Nov 2026, 08:00 UTC");
  expect(previewOfShown(shown)).toMatchObject({
    platform: "TELEGRAM",
    network: "Telegram",
    author: { name: "The Bells", handle: "@bells" },
    place: "The tower",
    posts: [
      {
        text: "One",
        media: [
          { kind: "image", name: "a.jpg", src: "https://c.example/media/1" },
          { kind: "video", name: "b.mp4", src: "https://c.example/media/2/thumbnail" },
        ],
      },
      { text: "Two", media: [{ kind: "image", name: "A file that is not available yet" }] },
    ],
  });
});

test("shows an animation as a video where it is converted", () => {
  const [one] = shown.posts;
  const posts = [{ ...one, files: [{ name: "a.gif", isVideo: false, animation: gif }] }];
  const kindOn = (platform: "INSTAGRAM" | "TELEGRAM") =>
    previewOfShown({ ...shown, platform, settings: { type: platform }, posts } as ReviewPublication).posts[0]?.media[0]
      ?.kind;
  expect([kindOn("INSTAGRAM"), kindOn("TELEGRAM")]).toEqual(["video", "image"]);
});

test("shows a video's cover, or its first frame without one", () => {
  const [one, two] = shown.posts;
  if (!one || !two) throw new Error("two posts are expected");
  const cover = { name: "cover.jpg", isVideo: false, url: "https://c.example/media/3" };
  const gone = { name: "A file that is not available yet", isVideo: false };
  const mediaOf = (posts: ReviewPublication["posts"]) =>
    previewOfShown({ ...shown, posts }).posts.map(({ media }) => media);
  const [film] = mediaOf([{ ...one, cover }, two]);
  expect(film?.map(({ kind, src }) => [kind, src])).toEqual([
    ["image", "https://c.example/media/1"],
    ["video", "https://c.example/media/3"],
  ]);
  expect(mediaOf([two, { ...one, cover: gone }])[1]?.[1]).toMatchObject({ src: "https://c.example/media/2/thumbnail" });
});

test("contains no storage keys, because they name the owner", () => {
  expect(JSON.stringify(previewOfShown(shown))).not.toContain("7c0b6a52");
});
