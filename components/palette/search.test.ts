import { describe, expect, test } from "vitest";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { ApiMedia } from "../library/queries";
import { saidBy, searchAccounts, searchFiles, searchPosts } from "./search";

const NOW = Date.parse("2027-03-12T12:00:00Z");

function post(id: number, texts: string[], scheduledTime?: string, settings = {}): ApiSchedule {
  const publication = {
    id,
    socialMediaAccountId: 1,
    platformSettings: { type: "TWITTER", ...settings },
    status: "PENDING",
  } as const;
  const posts = texts.map((content, at) => ({
    id: id * 10 + at,
    content,
    attachmentPaths: [],
    status: "PENDING" as const,
  }));
  return {
    id,
    overallStatus: scheduledTime ? "SCHEDULED" : "DRAFT",
    scheduledTime,
    publications: [{ ...publication, posts }],
  };
}

describe("posts", () => {
  const schedules = [
    post(1, ["The noon bell"], "2027-01-01T12:00:00Z"),
    post(2, ["Evening", "and the noon bell once more"], "2027-03-13T12:00:00Z"),
    post(3, ["The noon bell"], "2027-03-12T13:00:00Z"),
    post(4, [""], "2027-03-12T12:00:00Z"),
    post(5, ["A draft about noon"]),
  ];
  const found = (query: string) => searchPosts({ known: schedules }, query, NOW).map(({ id }) => id);

  test("are found by words in any part", () => {
    expect(found("once more")).toEqual([2]);
    expect(found("midnight")).toEqual([]);
  });
  test("are sorted by rank, then by time; drafts count as today", () => {
    expect(found("noon")).toEqual([5, 3, 2, 1]);
    expect(found("the noon")).toEqual([3, 1, 2]);
  });
  test("appear once if they were loaded twice", () => {
    const [first] = schedules;
    expect(searchPosts({ known: [...schedules, ...(first ? [first] : [])] }, "noon", NOW)).toHaveLength(4);
  });
  test("are at most six", () => {
    const many = Array.from({ length: 9 }, (_, at) => post(at, [`noon ${at}`]));
    expect(searchPosts({ known: many }, "noon", NOW)).toHaveLength(6);
  });
  test("are found by title, after matches in the text", () => {
    const titled = post(6, ["Evening"], undefined, { title: "The noon bell" });
    expect(saidBy(titled)).toEqual(["Evening", "The noon bell"]);
    expect(searchPosts({ known: [titled] }, "noon", NOW)).toEqual([titled]);
  });
  test("found only by the API come last, in its order", () => {
    const [linked, alone] = [post(7, ["Pinned"], undefined, { link: "https://noon.example" }), post(8, [])];
    const [first] = schedules;
    const found = [alone, linked, ...(first ? [first] : [])];
    const ids = searchPosts({ known: [...schedules, ...found], found }, "the noon", NOW).map(({ id }) => id);
    expect(ids).toEqual([3, 1, 2, 8, 7]);
  });
  test("show the API's newer version", () => {
    const [before, now] = [post(9, ["At noon"]), post(9, ["At midnight"])];
    expect(searchPosts({ known: [before, now], found: [now] }, "midnight", NOW)).toEqual([now]);
  });
});

test("accounts are found by handle, name and network", () => {
  const account = (id: number, platform: ApiAccount["platform"], accountUsername: string, accountDisplayName: string) =>
    ({
      id,
      platform,
      accountId: String(id),
      accountUsername,
      accountDisplayName,
      state: "ACTIVE",
      stateTime: "",
      createdTime: "",
      updatedTime: "",
    }) as const;
  const accounts = [account(1, "X_TWITTER", "ada", "Ada Lovelace"), account(2, "LINKEDIN", "acme", "Acme")];
  const found = (query: string) => searchAccounts(accounts, query, ({ platform }) => platform).map(({ id }) => id);
  expect([found("@ada"), found("lovelace"), found("linkedin"), found("acme ada")]).toEqual([[1], [1], [2], []]);
});

test("files are found by name and by alt text", () => {
  const file = (filename: string, altText?: string): ApiMedia => ({
    ...{ key: filename, path: filename, filename, altText, contentType: "image/png", sizeBytes: 1, labels: [] },
    ...{ url: "", digest: "", createdTime: "2027-01-01T00:00:00.000000" },
  });
  const files = [file("bells.png"), file("IMG_1.png", "Three bells in a tower")];
  const found = (query: string) => searchFiles(files, query).map(({ filename }) => filename);
  expect([found("bells"), found("img"), found("clock")]).toEqual([["bells.png", "IMG_1.png"], ["IMG_1.png"], []]);
});
