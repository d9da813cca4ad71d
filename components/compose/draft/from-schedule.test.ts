import { describe, expect, test } from "vitest";
import type { ApiPost, ApiPublication, ApiSchedule } from "../../api/types";
import { networkFacts } from "../../networks/facts";
import type { TaggedPerson } from "../../networks/types";
import { targetsOf } from "../targets/targets";
import { account, networks, targetsFor } from "../testing/page";
import { storedUpload } from "../uploads/use-uploads";
import { draftFromSchedule } from "./from-schedule";
import { publicationsOf } from "./submission";

const accounts = [
  account(1, "X_TWITTER"),
  account(2, "LINKEDIN"),
  account(3, "TELEGRAM"),
  account(4, "INSTAGRAM"),
  account(5, "BLUE_SKY"),
];

const posts = (...all: Partial<ApiPost>[]): ApiPost[] =>
  all.map((post, index) => ({ id: index + 1, content: "", attachmentPaths: [], status: "PENDING", ...post }));
const on = (id: number, type: string, posts: ApiPublication["posts"], settings = {}): ApiPublication => ({
  id,
  socialMediaAccountId: id,
  platformSettings: { type, ...settings },
  status: "PENDING",
  posts,
});
const schedule = (...publications: ApiPublication[]): ApiSchedule => ({
  id: 9,
  overallStatus: "SCHEDULED",
  scheduledTime: "2031-05-01T12:00:00Z",
  publications,
});

function begun(given: ApiSchedule) {
  return draftFromSchedule(given, { accounts, networks, files: [] });
}

/** Returns what the page would send if nothing were changed. */
function sentAgain(given: ApiSchedule) {
  const from = begun(given);
  if (!from) return undefined;
  const files = from.media.map(storedUpload);
  return publicationsOf(targetsFor(from.draft, accounts, files), ({ path }) => path);
}

const wire = ({ socialMediaAccountId, platformSettings, posts }: ApiPublication) => ({
  socialMediaAccountId,
  platformSettings,
  posts: posts.map(({ content = "", attachmentPaths = [], chatId, thumbnail }) => ({
    content,
    attachmentPaths,
    ...(chatId && { chatId }),
    ...(thumbnail && { thumbnailPath: thumbnail }),
  })),
});

const filmed = (thumbnail?: string) => posts({ content: "Ding", attachmentPaths: ["u/b.mp4"], thumbnail });

const thread = posts(
  { content: "One", attachmentPaths: ["u/a.jpg"] },
  { content: "Two", attachmentPaths: ["u/b.mp4"] },
);

describe("a schedule that is opened and sent again unchanged stays the same", () => {
  test.each<[string, ApiSchedule]>([
    [
      "one text for two accounts",
      schedule(
        on(1, "TWITTER", posts({ content: "Ding" })),
        on(2, "LINKEDIN", posts({ content: "Ding" }), { visibility: "CONNECTIONS" }),
      ),
    ],
    [
      "a thread, and its parts as one text",
      schedule(
        on(1, "TWITTER", thread),
        on(2, "LINKEDIN", posts({ content: "One\n\nTwo", attachmentPaths: ["u/a.jpg", "u/b.mp4"] }), {
          visibility: "PUBLIC",
        }),
      ),
    ],
    [
      "another text for one of them",
      schedule(
        on(1, "TWITTER", posts({ content: "Short" })),
        on(2, "LINKEDIN", posts({ content: "At length" }), { visibility: "PUBLIC" }),
      ),
    ],
    [
      "a file that one of them is not sent",
      schedule(
        on(1, "TWITTER", posts({ content: "Ding" })),
        on(2, "LINKEDIN", posts({ content: "Ding", attachmentPaths: ["u/a.jpg"] }), { visibility: "PUBLIC" }),
      ),
    ],
    [
      "a cover, where one is taken",
      schedule(on(1, "TWITTER", filmed()), on(2, "LINKEDIN", filmed("u/c.jpg"), { visibility: "PUBLIC" })),
    ],
    [
      "lists and numbers in the settings",
      schedule(
        on(4, "INSTAGRAM", posts({ content: "Ding", attachmentPaths: ["u/b.mp4"] }), {
          publicationType: "FEED",
          aiContent: false,
          collaborators: ["anna", "ben"],
          videoCoverTimestampMs: 1500,
        }),
      ),
    ],
    [
      "chosen values of a list, and texts with commas",
      schedule(
        on(1, "TWITTER", posts({ content: "Ding" }), { pollOptions: ["Yes, please", "No"], pollMinutes: 60 }),
        on(5, "BLUE_SKY", posts({ content: "Ding" }), { languages: ["en", "de"], whoCanReply: ["MENTIONED"] }),
      ),
    ],
    ["a destination", schedule(on(3, "TELEGRAM", posts({ content: "Ding", chatId: "-100" })))],
  ])("%s", (_, given) => {
    expect(sentAgain(given)).toEqual(given.publications.map(wire));
  });
});

test("a post without languages keeps none, although a new post would start with some", () => {
  const given = schedule(on(5, "BLUE_SKY", posts({ content: "Ding" })));
  const known = { accounts, networks: networkFacts({ languages: "de" }) };
  const from = draftFromSchedule(given, { ...known, files: [] });
  expect(from && targetsOf({ draft: from.draft, files: [], ...known, chats: {}, asked: {} })[0]?.settings).toEqual({});
});

test("a text that the network joins from parts is not taken for an own text", () => {
  const given = schedule(
    on(1, "TWITTER", thread),
    on(2, "LINKEDIN", posts({ content: "One\n\nTwo", attachmentPaths: ["u/a.jpg", "u/b.mp4"] }), {
      visibility: "PUBLIC",
    }),
  );
  expect(begun(given)?.draft.own).toEqual({});
});

const tagged = (attachmentPaths: string[], userTags: (string | TaggedPerson)[]) =>
  on(4, "INSTAGRAM", posts({ content: "Ding", attachmentPaths }), {
    publicationType: "FEED",
    aiContent: false,
    userTags,
  });

test("keeps tagged people with their places and files, in every form that the API stores", () => {
  const given = schedule(
    tagged(
      ["u/a.jpg", "u/b.jpg"],
      ["ben", { attachment: 1, y: 0.75, x: 0.25, username: "anna" }, { username: "carol" }],
    ),
  );
  expect(begun(given)?.draft.settings.a4?.userTags).toEqual([
    { username: "ben", path: "u/a.jpg" },
    { username: "anna", x: 0.25, y: 0.75, path: "u/b.jpg" },
    { username: "carol", path: "u/a.jpg" },
  ]);
  expect(sentAgain(given)?.[0]?.platformSettings.userTags).toEqual([
    { username: "ben", attachment: 0 },
    { username: "anna", x: 0.25, y: 0.75, attachment: 1 },
    { username: "carol", attachment: 0 },
  ]);
});

describe("refuses schedules that this page cannot represent", () => {
  test.each<[string, ApiSchedule]>([
    [
      "two covers of one video",
      schedule(on(2, "LINKEDIN", filmed("u/c.jpg"), { visibility: "PUBLIC" }), on(3, "TELEGRAM", filmed("u/d.jpg"))),
    ],
    [
      "a person who is tagged in a file that the post does not have",
      schedule(tagged(["u/a.jpg"], [{ username: "anna", x: 0.5, y: 0.5, attachment: 1 }])),
    ],
    ["a cover where none is taken", schedule(on(1, "TWITTER", posts({ content: "Ding", thumbnail: "u/c.jpg" })))],
    ["an account that is gone", schedule(on(7, "TWITTER", posts({ content: "Ding" })))],
    [
      "two posts for one account",
      schedule(on(1, "TWITTER", posts({ content: "Ding" })), on(1, "TWITTER", posts({ content: "Dong" }))),
    ],
    [
      "another order of the files",
      schedule(
        on(1, "TWITTER", posts({ content: "Ding", attachmentPaths: ["u/a.jpg", "u/b.jpg"] })),
        on(2, "LINKEDIN", posts({ content: "Ding", attachmentPaths: ["u/b.jpg", "u/a.jpg"] }), {
          visibility: "PUBLIC",
        }),
      ),
    ],
  ])("%s", (_, given) => {
    expect(begun(given)).toBeUndefined();
  });
});

test("takes a file's kind from storage, or else from its name", () => {
  const given = schedule(on(1, "TWITTER", posts({ content: "Ding", attachmentPaths: ["u/a.jpg", "u/b.mp4"] })));
  const files = [{ path: "u/a.jpg", filename: "moving.jpg", contentType: "video/mp4", url: "/a" }];
  expect(draftFromSchedule(given, { accounts, networks, files })?.media.map(({ kind, name }) => [kind, name])).toEqual([
    ["video", "moving.jpg"],
    ["video", "b.mp4"],
  ]);
});
