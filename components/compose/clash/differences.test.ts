import { describe, expect, test } from "vitest";
import type { ApiNewSchedule, ApiSchedule } from "../../api/types";
import { account, networks } from "../testing/page";
import { differencesOf } from "./differences";

const accounts = [account(1, "X_TWITTER"), account(2, "LINKEDIN"), account(3, "YOUTUBE")];
type Sent = ApiNewSchedule["publications"][number];
type Post = Sent["posts"][number];

const on = (id: number, post: Partial<Post> = {}, settings: object = {}): Sent => ({
  socialMediaAccountId: id,
  platformSettings: { type: "T", ...settings },
  posts: [{ content: "Ding dong", attachmentPaths: [], ...post }],
});
const mine = (...publications: Sent[]): ApiNewSchedule => ({ isDraft: true, publications });
const theirs = (...publications: Sent[]): ApiSchedule => ({
  id: 9,
  overallStatus: "DRAFT",
  publications: publications.map((sent, index) => ({
    ...sent,
    id: index,
    status: "PENDING",
    posts: sent.posts.map(({ thumbnailPath, ...post }, at) => ({
      ...post,
      id: at,
      status: "PENDING" as const,
      ...(thumbnailPath && { thumbnail: thumbnailPath }),
    })),
  })),
});
const told = (a: ApiNewSchedule, b: ApiSchedule) =>
  differencesOf(a, b, { accounts, networks, nameOf: (path) => path.split("/").at(-1) ?? path });

test("finds no differences if both are equal, ignoring empty values, switched-off settings and order", () => {
  const a = mine(on(1, {}, { title: "", aiContent: false }), on(2));
  expect(told(a, theirs(on(2), on(1)))).toEqual([]);
});

describe("compares texts word by word", () => {
  const pieces = [{ same: "Ding " }, { mine: "dong", theirs: "dang" }];

  test("lists a difference once for all accounts that share it", () => {
    const b = theirs(on(1, { content: "Ding dang" }), on(2, { content: "Ding dang" }));
    expect(told(mine(on(1), on(2)), b)).toEqual([{ about: "Text", pieces }]);
  });

  test("names the account if only one differs", () => {
    const b = theirs(on(1), on(2, { content: "Ding dang" }));
    expect(told(mine(on(1), on(2)), b)).toEqual([{ about: "Text for @bells2 on LinkedIn", pieces }]);
  });

  test("finds a different split into parts", () => {
    const post = (content: string) => ({ content, attachmentPaths: [] });
    const parted = { ...on(1), posts: [post("Ding"), post("dong")] };
    expect(told(mine(on(1)), theirs(parted))).toHaveLength(1);
  });
});

test("lists time, accounts, files, covers and settings as lines", () => {
  const a = mine(
    on(1, { attachmentPaths: ["u/a.jpg"] }),
    on(3, { attachmentPaths: ["u/a.mp4"], thumbnailPath: "u/cover.jpg" }, { title: "Bells", privacyStatus: "PUBLIC" }),
  );
  const b = theirs(
    on(1, { attachmentPaths: ["u/b.jpg", "u/a.jpg"] }),
    on(2),
    on(3, { attachmentPaths: ["u/a.mp4"] }, { title: "Bells", privacyStatus: "PRIVATE" }),
  );
  const lines = told(a, { ...b, overallStatus: "SCHEDULED", scheduledTime: "2031-05-01T12:00:00Z" });
  expect(lines).toEqual([
    { about: "Time", mine: "none yet", theirs: expect.stringContaining("2031") },
    { about: "What it is", mine: "a draft", theirs: "scheduled" },
    {
      about: "Accounts",
      mine: "@bells1 on X, @bells3 on YouTube",
      theirs: "@bells1 on X, @bells2 on LinkedIn, @bells3 on YouTube",
    },
    { about: "Pictures and videos for @bells1 on X", mine: "a.jpg", theirs: "b.jpg, a.jpg" },
    { about: "Cover for @bells3 on YouTube", mine: "cover.jpg", theirs: "the network's own choice" },
    { about: "Who can see it for @bells3 on YouTube", mine: "Public", theirs: "Private" },
  ]);
});

test("shows a frame of a video in seconds, as its field does", () => {
  const of = (videoCoverTimestampMs: number) => on(4, {}, { videoCoverTimestampMs });
  const known = { accounts: [account(4, "TIKTOK")], networks, nameOf: (path: string) => path };
  expect(differencesOf(mine(of(2500)), theirs(of(0)), known)).toEqual([
    { about: "Cover frame", mine: "2.5 s", theirs: "0 s" },
  ]);
});
