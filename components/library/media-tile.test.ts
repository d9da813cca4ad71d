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
    "a video is called one, with its length",
    { durationSeconds: 65 },
    ["Video, ", "1:05", "bells.mp4", "Select bells.mp4"],
  ],
  ["and once where its length is unknown", {}, ["Video", "bells.mp4", "Select bells.mp4"]],
  ["a picture by its name alone", { contentType: "image/png", durationSeconds: 65 }, ["bells.mp4", "Select bells.mp4"]],
])("%s", (_, rest, words) => {
  expect(said({ ...file, ...rest })).toEqual(words);
});
