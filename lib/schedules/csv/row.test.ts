import { describe, expect, test } from "vitest";
import type { CsvAccount } from "./accounts";
import type { Column } from "./columns";
import { readRow } from "./row";

const account = (id: number, platform: CsvAccount["platform"], username: string): CsvAccount => ({
  ...{ id, platform, username, networkAccountId: `n${id}` },
});
const accounts = [
  account(1, "X_TWITTER", "alice"),
  account(2, "THREADS", "alice"),
  account(3, "X_TWITTER", "bob"),
  account(4, "TELEGRAM", "carol"),
  account(5, "PINTEREST", "dave"),
  account(6, "YOUTUBE", "@erin"),
  account(7, "LINKEDIN", "Frank"),
];

const read = (cells: { [C in Column]?: string }) =>
  readRow({ number: 2, cells: new Map(Object.entries(cells) as [Column, string][]), hasMore: false }, accounts);
const problemsOf = (cells: Parameters<typeof read>[0]) =>
  read(cells).problems.map(({ column, rule, message }) => [column, rule, message]);
const publicationsOf = (cells: Parameters<typeof read>[0]) =>
  read(cells).body.publications as { [name: string]: unknown }[];

describe("accounts", () => {
  test.each([
    ["an id", "3", [3]],
    ["a handle that only one has", "@Bob", [3]],
    ["a platform and a handle, in any spelling", "X_TWITTER:alice; twitter:@bob ; threads:alice;", [1, 3, 2]],
    ["the network's own id", "youtube:n6", [6]],
    ["a handle that is written with its sign", "youtube:erin", [6]],
  ])("%s", (_, entry, ids) => {
    expect(publicationsOf({ accounts: entry }).map((one) => one.socialMediaAccountId)).toEqual(ids);
  });

  test.each([
    ["nobody", "account.unknown", "is not one of this user's accounts: nobody"],
    ["x:carol", "account.unknown", "is not one of this user's accounts: x:carol"],
    ["n1", "account.unknown", "is not one of this user's accounts: n1"],
    ["alice", "csv.account_ambiguous", "matches 2 accounts: alice"],
  ])("%s is refused", (entry, rule, message) => {
    expect(problemsOf({ accounts: entry })).toEqual([["accounts", rule, message]]);
  });

  test("at most 100 are looked up", () => {
    expect(problemsOf({ accounts: "1;".repeat(101) })).toEqual([
      ["accounts", "too_big", "must have at most 100 entries"],
    ]);
  });

  test("are required", () => {
    expect(problemsOf({ text: "a" })).toEqual([["accounts", "required", "cannot be null"]]);
  });
});

test("each part of a thread has its files; a row without text or files has one empty part", () => {
  const cells = { accounts: "1", text: "One", text2: "Two", media2: "a.jpg; https://b.example/c.jpg", media3: "d.jpg" };
  expect(publicationsOf(cells)[0]?.posts).toEqual([
    { content: "One", attachmentPaths: [] },
    { content: "Two", attachmentPaths: ["a.jpg", "https://b.example/c.jpg"] },
    { content: "", attachmentPaths: ["d.jpg"] },
  ]);
  expect(publicationsOf({ accounts: "1" })[0]?.posts).toEqual([{ content: "", attachmentPaths: [] }]);
});

describe("settings", () => {
  const settingsOf = (cells: Parameters<typeof read>[0]) => publicationsOf(cells).map((one) => one.platformSettings);

  test("of one network, of several networks by name, and without any", () => {
    expect(settingsOf({ accounts: "youtube:erin", settings: '{"title":"Bells"}' })).toEqual([
      { type: "YOUTUBE", title: "Bells" },
    ]);
    const each = '{"YOUTUBE":{"title":"Bells"},"pinterest":{"link":"https://a.example"}}';
    expect(settingsOf({ accounts: "6; 5; 1", settings: each })).toEqual([
      { type: "YOUTUBE", title: "Bells" },
      { type: "PINTEREST", link: "https://a.example" },
      { type: "TWITTER" },
    ]);
  });

  test.each([
    ["text that is not JSON", "6", "{title}", "csv.json"],
    ["JSON that is not an object", "6", "[1]", "type"],
    ["a character that cannot be stored", "6", '{"title":"a\\u0000b"}', "csv.json"],
    ["several accounts, and no network that the settings are for", "6; 5", '{"title":"Bells"}', "csv.settings"],
    ["a network without an account here", "6", '{"TIKTOK":{"title":"Bells"}}', "csv.settings"],
  ])("%s", (_, on, settings, rule) => {
    expect(problemsOf({ accounts: on, settings }).map(([column, found]) => [column, found])).toEqual([
      ["settings", rule],
    ]);
  });
});

test("destinations belong to the accounts that have them, in order", () => {
  const chats = (destination: string) =>
    publicationsOf({ accounts: "1; 4; 5", destination }).map((one) => (one.posts as { chatId?: string }[])[0]?.chatId);
  expect(chats("-100; b1")).toEqual([undefined, "-100", "b1"]);
  expect(chats("; b1")).toEqual([undefined, undefined, "b1"]);
  // LinkedIn posts to the account itself without one.
  const withLinkedIn = (destination: string) =>
    publicationsOf({ accounts: "7; 4; 5", destination }).map((one) => (one.posts as { chatId?: string }[])[0]?.chatId);
  expect(withLinkedIn("-100; b1")).toEqual([undefined, "-100", "b1"]);
  expect(withLinkedIn("page; -100; b1")).toEqual(["page", "-100", "b1"]);
  expect(withLinkedIn("; -100; b1")).toEqual([undefined, "-100", "b1"]);
  expect(problemsOf({ accounts: "1; 4", destination: "a; b" })).toEqual([
    ["destination", "csv.destinations", "has more entries than the row has accounts with destinations: 2 for 1"],
  ]);
});

describe("the time", () => {
  test.each([
    [{ scheduledTime: " 2031-05-01T12:00:00+02:00 " }, "2031-05-01T12:00:00+02:00"],
    [{ date: "1.5.2031", time: "9:00", timeZone: "Europe/Berlin" }, "2031-05-01T07:00:00Z"],
    [{}, undefined],
  ])("%j", (cells, time) => {
    expect(read({ ...cells, accounts: "1" })).toMatchObject({ problems: [] });
    expect(read({ ...cells, accounts: "1" }).body.scheduledTime).toBe(time);
  });

  test.each([
    [{ date: "2031-05-01", time: "9:00" }, ["timeZone", "required"]],
    [{ date: "5/1/2031", time: "9:00", timeZone: "UTC" }, ["date", "csv.time"]],
    [{ date: "2031-05-01", time: "9", timeZone: "UTC" }, ["time", "csv.time"]],
    [{ date: "2031-03-30", time: "02:30", timeZone: "Europe/Berlin" }, ["time", "csv.time_skipped"]],
    [{ scheduledTime: "2031-05-01T12:00:00Z", timeZone: "UTC" }, ["scheduledTime", "csv.time_twice"]],
  ])("%j is refused", (cells, found) => {
    expect(problemsOf({ ...cells, accounts: "1" }).map((one) => one.slice(0, 2))).toEqual([found]);
  });
});

test("a cell of a million entries is read up to the thousandth", () => {
  const entries = "1;".repeat(1_000_000);
  const [post] = (publicationsOf({ accounts: "3", media: entries })[0]?.posts ?? []) as { attachmentPaths: string[] }[];
  expect(post?.attachmentPaths).toHaveLength(1000);
  expect(problemsOf({ accounts: entries })).toEqual([["accounts", "too_big", "must have at most 100 entries"]]);
});

test("isDraft accepts common words, and nothing else", () => {
  expect(["TRUE", "yes", "1"].map((isDraft) => read({ isDraft }).body.isDraft)).toEqual([true, true, true]);
  expect(["False", "no", "0"].map((isDraft) => read({ isDraft }).body.isDraft)).toEqual([false, false, false]);
  expect(problemsOf({ accounts: "1", isDraft: "maybe" })).toEqual([["isDraft", "choice", "must be true or false"]]);
});

test("the column publications cannot be combined with others", () => {
  const publications = '[{"socialMediaAccountId":1}]';
  expect(read({ publications }).body.publications).toEqual([{ socialMediaAccountId: 1 }]);
  expect(problemsOf({ publications, text2: "a" })).toEqual([
    ["publications", "csv.publications_twice", "cannot be combined with text2"],
  ]);
});
