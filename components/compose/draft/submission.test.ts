import { expect, test } from "vitest";
import type { ApiNewSchedule, ApiPost, ApiSchedule } from "../../api/types";
import { networkFacts } from "../../networks/facts";
import { isSameAsRequest } from "./submission";

const asked: ApiNewSchedule = {
  scheduledTime: "2031-05-01T14:00:00+02:00",
  isDraft: false,
  publications: [
    {
      socialMediaAccountId: 1,
      platformSettings: { type: "T", title: "Bells", aiContent: false },
      posts: [{ content: "Ding", attachmentPaths: ["u/a.mp4"], thumbnailPath: "u/c.jpg" }],
    },
  ],
};
const post: ApiPost = { id: 3, content: "Ding", attachmentPaths: ["u/a.mp4"], thumbnail: "u/c.jpg", status: "PENDING" };
const publication: ApiSchedule["publications"][number] = {
  id: 2,
  socialMediaAccountId: 1,
  platformSettings: { title: "Bells", type: "T" },
  status: "PENDING",
  posts: [post],
};
const stored: ApiSchedule = {
  id: 1,
  overallStatus: "SCHEDULED",
  scheduledTime: "2031-05-01T12:00:00Z",
  publications: [publication],
};
const withPost = (change: object): ApiSchedule => ({
  ...stored,
  publications: [{ ...publication, posts: [{ ...post, ...change }] }],
});

test("matches despite its own IDs and the time in UTC", () => {
  expect(isSameAsRequest(stored, asked)).toBe(true);
});

test.each(networkFacts().flatMap(({ settings }) => settings.filter(({ kind }) => kind === "question")))(
  "no answer to the question $name does not match the answer no",
  ({ name }) => {
    const [given] = asked.publications;
    const publications = given ? [{ ...given, platformSettings: { ...given.platformSettings, [name]: false } }] : [];
    expect(isSameAsRequest(stored, { ...asked, publications })).toBe(false);
  },
);

test.each<[string, ApiSchedule]>([
  ["text", withPost({ content: "Dong" })],
  ["file", withPost({ attachmentPaths: [] })],
  ["cover", withPost({ thumbnail: undefined })],
  ["place", withPost({ chatId: "-100" })],
  ["setting", { ...stored, publications: [{ ...publication, platformSettings: { type: "T", title: "Bell" } }] }],
  ["account", { ...stored, publications: [{ ...publication, socialMediaAccountId: 2 }] }],
  ["publication more", { ...stored, publications: [publication, { ...publication, socialMediaAccountId: 2 }] }],
  ["time", { ...stored, scheduledTime: "2031-05-01T12:00:01Z" }],
  ["state", { ...stored, overallStatus: "DRAFT" }],
])("does not match with another %s", (_, other) => {
  expect(isSameAsRequest(other, asked)).toBe(false);
});
