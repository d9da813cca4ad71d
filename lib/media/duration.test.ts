import { beforeAll, describe, expect, test } from "vitest";
import type { Problem } from "../errors";
import { as, type Client, clip, connectAccount, newOwner, readResponse } from "../testing";

let owner: string;
let caller: Client;
const accounts: { [type: string]: number } = {};

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  accounts.INSTAGRAM = (await connectAccount(owner, "INSTAGRAM")).id;
  accounts.TWITTER = (await connectAccount(owner, "X_TWITTER")).id;
});

/** Returns the problem with the duration of a video of exactly this length. */
async function problemsOf(seconds: number, platformSettings: { type: string; publicationType?: string }) {
  const key = await clip(owner, { seconds, fps: 25 });
  const posts = [{ content: "a", attachmentPaths: [key] }];
  const publications = [{ socialMediaAccountId: accounts[platformSettings.type], platformSettings, posts }];
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications };
  const [, answer] = await readResponse(caller.post("/v1/posts/validate", body));
  return (answer as { problems: Problem[] }).problems
    .filter(({ rule }) => rule === "video.seconds")
    .map(({ message, measured }) => [message.replace(/^.*: /, ""), measured]);
}

describe("a limit in seconds is compared with the video's exact duration", () => {
  const story = { type: "INSTAGRAM", publicationType: "STORY" };
  test.each([
    { settings: { type: "INSTAGRAM" }, seconds: 2.4, says: "Instagram takes 3 to 900 seconds, this video has 2.4" },
    { settings: { type: "INSTAGRAM" }, seconds: 2.96, says: "Instagram takes 3 to 900 seconds, this video has 2.96" },
    { settings: story, seconds: 60.04, says: "Instagram takes 3 to 60 seconds, this video has 60.04" },
    { settings: { type: "TWITTER" }, seconds: 0.4, says: "X takes 0.5 to 140 seconds, this video has 0.4" },
    { settings: { type: "TWITTER" }, seconds: 140.2, says: "X takes 0.5 to 140 seconds, this video has 140.2" },
  ])("$seconds seconds are rejected: $says", async ({ settings, seconds, says }) => {
    expect(await problemsOf(seconds, settings)).toEqual([[expect.stringContaining(says), seconds]]);
  });

  test.each([
    { settings: { type: "INSTAGRAM" }, seconds: 3 },
    { settings: story, seconds: 59.96 },
    { settings: story, seconds: 60 },
    { settings: { type: "TWITTER" }, seconds: 0.52 },
    { settings: { type: "TWITTER" }, seconds: 140 },
  ])("$seconds seconds are accepted: $settings", async ({ settings, seconds }) => {
    expect(await problemsOf(seconds, settings)).toEqual([]);
  });
});

test("the library shows whole seconds, rounded up", async () => {
  const key = await clip(owner, { seconds: 2.4, fps: 25 });
  const [, { items }] = (await readResponse(caller.get("/v1/media?limit=1"))) as [number, { items: object[] }];
  expect(items).toMatchObject([{ path: key, durationSeconds: 3 }]);
});
