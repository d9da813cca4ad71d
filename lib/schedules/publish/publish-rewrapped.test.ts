import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { networkOf } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import {
  as,
  connectAccount,
  firstChat,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";
import { requiredSettingsOf } from "../../testing/recipe";
import { withApiServed } from "../../testing/served";

withApiServed(); // Instagram and Threads fetch files themselves, from the product's own address
withWorker();

const HOUR_MS = 3_600_000;

/** A film without fast start; long enough for LinkedIn's minimum of bytes. */
const film = () => Buffer.from(mp4({ seconds: 60, sampleBytes: 64, isFastStart: false }));
/** The same as a QuickTime film, which its brand makes of it. */
const quickTime = () => {
  const bytes = film();
  bytes.write("qt  ", 8, "latin1");
  bytes.fill("qt  ", 16, bytes.readUInt32BE(0), "latin1");
  return bytes;
};

type Shown = { publications: { posts: { requests: object[]; problem?: string }[] }[] };

test.each<[platform: Platform, filename: string, make: () => Buffer]>([
  ["INSTAGRAM", "bells.mp4", film],
  ["THREADS", "bells.mp4", film],
  ["LINKEDIN", "bells.mov", quickTime],
  ["TELEGRAM", "bells.mov", quickTime],
])("%s gets a rewrapped %s that it would refuse as it is", { timeout: 60_000 }, async (platform, filename, make) => {
  const network = networkOf(platform);
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, platform);
  const path = await uploaded(client, make(), filename);
  const publication = {
    socialMediaAccountId: id,
    platformSettings: { type: network.settingsTypes[0], ...requiredSettingsOf(network) },
    posts: [{ content: "Ding", attachmentPaths: [path], chatId: await firstChat(client, id, network) }],
  };
  const scheduledTime = new Date(Date.now() + HOUR_MS).toISOString();
  const [, checked] = await readResponse(
    client.post("/v1/posts/validate", { scheduledTime, publications: [publication] }),
  );
  const warning = { rule: "video.rewrapped", severity: "warning", source: expect.stringMatching(/^https:/) };
  expect(checked).toMatchObject({ valid: true, problems: [warning] });

  const planned = await schedule(client, [publication], new Date(scheduledTime));
  const [, shown] = await readResponse(client.get(`/v1/posts/${planned.id}/preview`));
  const [post] = (shown as Shown).publications[0]?.posts ?? [];
  expect(post?.problem).toBeUndefined();

  const seen = await settled(client, (await schedule(client, [publication])).id);
  expect(seen.overallStatus, JSON.stringify(seen)).toBe("COMPLETED");
  const [live, ...others] = await postsOn(platforms[platform], person);
  expect(others).toEqual([]);
  expect(live?.media.map(({ type }) => type)).toEqual(["video/mp4"]);
});
