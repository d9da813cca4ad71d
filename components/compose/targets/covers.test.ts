import { expect, test } from "vitest";
import { draftRequest, submissionOf } from "../draft/submission";
import { account, draftFor, file, targetsFor } from "../testing/page";
import type { Upload } from "../uploads/use-uploads";
import { coverNetworks } from "./targets";

const accounts = [
  account(1, "X_TWITTER"),
  account(2, "YOUTUBE"),
  account(3, "INSTAGRAM"),
  account(4, "TIKTOK"),
  account(5, "PINTEREST"),
];
const cover = { path: "u/cover.jpg", name: "cover.jpg", share: 1 };
const film = (of: Upload["cover"] = cover): Upload => ({ ...file("u/a.mp4", "p1"), cover: of });

function coversSent(video: Upload, more: Parameters<typeof draftFor>[2] = {}) {
  const draft = draftFor(accounts, ["Ding"], more);
  const { publications } = submissionOf(draft, targetsFor(draft, accounts, [video])).body;
  return publications.map(({ posts }) => posts[0]?.thumbnailPath);
}

test("a cover goes only to networks that accept one", () => {
  expect(coversSent(film())).toEqual([undefined, cover.path, cover.path, undefined, cover.path]);
  expect(coversSent(file("u/a.mp4", "p1"))).toEqual(accounts.map(() => undefined));
  expect(coversSent({ ...film(), path: "u/a.jpg", kind: "image" })).toEqual(accounts.map(() => undefined));
});

test("leaves it out if the network's settings do not allow a cover", () => {
  const story = { settings: { a3: { publicationType: "STORY" } } };
  expect(coversSent(film(), story)).toEqual([undefined, cover.path, undefined, undefined, cover.path]);
});

test("leaves out a cover that is still uploading, also in a draft", () => {
  const video = film({ name: "cover.jpg", share: 0.5 });
  expect(coversSent(video)).toEqual(accounts.map(() => undefined));
  const draft = draftFor(accounts, ["Ding"]);
  expect(JSON.stringify(draftRequest(draft, targetsFor(draft, accounts, [video])))).not.toContain("thumbnailPath");
});

test("lists the networks that use it and those that choose their own", () => {
  const draft = draftFor(accounts, ["Ding"], { without: { a4: ["u/a.mp4"] } });
  const targets = targetsFor(draft, accounts, [film()]);
  expect(coverNetworks(film(), targets)).toEqual({ take: ["YouTube", "Instagram", "Pinterest"], choose: ["X"] });
});
