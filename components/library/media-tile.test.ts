import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MediaTile } from "./media-tile";
import type { ApiMedia } from "./queries";

const file: ApiMedia = {
  key: "bells.mp4",
  path: "1/bells.mp4",
  filename: "bells.mp4",
  contentType: "video/mp4",
  sizeBytes: 1024,
  url: "https://files.example/bells.mp4",
  digest: "",
  labels: [],
  altText: "Bells",
  createdTime: "2031-05-01T12:00:00",
};
const none = () => undefined;
const said = (media: ApiMedia) =>
  renderToStaticMarkup(
    createElement(MediaTile, { media, isOpen: false, isChosen: false, isChoosing: false, open: none, choose: none }),
  )
    .replaceAll(/<\/?span[^>]*>/g, "|")
    .replaceAll(/<[^>]*>/g, "")
    .split("|")
    .filter(Boolean);

test.each([
  [
    "says that a file is a video, with its length",
    { durationSeconds: 65 },
    ["Video, ", "1:05", "bells.mp4", "Select bells.mp4"],
  ],
  ["says that a file is a video if its length is unknown", {}, ["Video", "bells.mp4", "Select bells.mp4"]],
  [
    "shows only the name of a picture",
    { contentType: "image/png", durationSeconds: 65 },
    ["bells.mp4", "Select bells.mp4"],
  ],
])("%s", (_, rest, words) => {
  expect(said({ ...file, ...rest })).toEqual(words);
});
