import { expect, test } from "vitest";
import { fileProblem } from "./use-drop";

const MB = 1024 * 1024;

test.each([
  ["image/jpeg", 1, undefined],
  ["video/x-matroska", 100 * MB, undefined],
  ["video/mp4", 100 * MB + 1, "bells: is too large: the maximum is 100 MB"],
  ["application/pdf", 100 * MB, undefined],
  ["application/zip", 1, "bells: is neither a picture, a video nor a PDF"],
  ["", 1, "bells: is neither a picture, a video nor a PDF"],
])("type %j with %d bytes: %s", (type, size, why) => {
  expect(fileProblem({ name: "bells", type, size })).toBe(why);
});
