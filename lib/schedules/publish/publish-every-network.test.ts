import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db } from "../../db";
import { networkOf } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import { attemptsOf, callsOn, clip, fault, picture, postsOn, schedule, settled, withWorker } from "../../testing";
import { withApiServed } from "../../testing/served";
import { plainPublication } from "../testing/due";

withWorker();
withApiServed(); // some networks fetch files themselves, from the product's own address

/** TikTok's final call of a video is its last chunk. Its photos are tested in publish-tiktok. */
const ATTACHED: { [P in Platform]?: (owner: string) => Promise<string[]> } = {
  TIKTOK: async (owner) => [await clip(owner)],
};

/** The plainest publication of a network, whose next calls of the operation `publish` meet the given fault. */
async function meeting(
  platform: Platform,
  name: string,
  { files = ATTACHED[platform], ...more }: { afterSeconds?: number; files?: (owner: string) => Promise<string[]> } = {},
) {
  const content = `after ${name}`;
  const { publication, ...of } = await plainPublication(networkOf(platform), content, files);
  await fault({ network: platforms[platform], operation: "publish", fault: name, ...more });
  const since = Date.now();
  const made = await schedule(of.client, [publication]);
  return {
    ...of,
    content,
    since,
    publicationId: made.publications[0]?.id ?? 0,
    seen: await settled(of.client, made.id),
    held: () => postsOn(platforms[platform], of.person),
    statuses: async (operation = "publish") =>
      (await callsOn(platforms[platform], of.person, operation)).map(({ status }) => status),
  };
}

/**
 * `statuses` are those of the final calls that the network attributes to the account. A call that was cut off, or answered with
 * an error before the token was read, is not attributed. 0: the answer was lost.
 */
type Row = { platform: Platform; fault: string; statuses?: number[] };

describe("a final call whose outcome is unknown: the post goes out once and is PUBLISHED", () => {
  test.each<Row>([
    { platform: "INSTAGRAM", fault: "drop_response" },
    { platform: "INSTAGRAM", fault: "http_500" },
    { platform: "THREADS", fault: "drop_response" },
    { platform: "THREADS", fault: "http_500" },
    { platform: "YOUTUBE", fault: "drop_response" },
    { platform: "YOUTUBE", fault: "http_500" },
    { platform: "TIKTOK", fault: "drop_response" },
    { platform: "TIKTOK", fault: "http_500" },
    { platform: "BLUE_SKY", fault: "drop_response" },
    { platform: "BLUE_SKY", fault: "http_500" },
    { platform: "FACEBOOK", fault: "drop_response" },
    { platform: "FACEBOOK", fault: "http_500" },
    // LinkedIn rejects a repeat of the same post with 422, so it is asked by sending the post again.
    { platform: "LINKEDIN", fault: "drop_response", statuses: [0, 422] },
    { platform: "LINKEDIN", fault: "cut_body", statuses: [0, 422] },
    { platform: "LINKEDIN", fault: "refuse", statuses: [201] },
    { platform: "LINKEDIN", fault: "http_500", statuses: [201] },
    { platform: "PINTEREST", fault: "drop_response", statuses: [0] },
    { platform: "PINTEREST", fault: "cut_body", statuses: [0] },
    { platform: "PINTEREST", fault: "http_500", statuses: [201] },
    { platform: "X_TWITTER", fault: "drop_response", statuses: [0] },
    { platform: "X_TWITTER", fault: "cut_body", statuses: [0] },
    { platform: "X_TWITTER", fault: "http_500", statuses: [201] },
    { platform: "X_TWITTER", fault: "http_502_html", statuses: [201] },
  ])("$platform, $fault", async ({ platform, fault: name, statuses }) => {
    const one = await meeting(platform, name);
    const [post, ...others] = await one.held();
    expect([post?.text, others]).toEqual([one.content, []]);
    expect(one.seen).toMatchObject({
      overallStatus: "COMPLETED",
      publications: [{ posts: [{ networkPostId: post?.id, permalink: post?.permalink }] }],
    });
    if (statuses) expect(await one.statuses()).toEqual(statuses);
    // A second upload session would be a second video.
    if (platform === "YOUTUBE") expect(await one.statuses("prepare")).toEqual([200]);
  });
});

/** Pinterest and Instagram wait for at least a minute. Pinterest has its own test for that. */
describe("a rate limit on the final call: waits, counts no failed attempt and publishes once", () => {
  test.each<{ platform: Platform; afterSeconds?: number; leastMs?: number; statuses?: number[] }>([
    { platform: "THREADS" }, // it answers 400
    { platform: "YOUTUBE" },
    { platform: "TIKTOK" },
    { platform: "FACEBOOK", afterSeconds: 0 }, // it answers 403 without a time to wait
    { platform: "BLUE_SKY", afterSeconds: 2, statuses: [200] },
    { platform: "LINKEDIN", afterSeconds: 1 },
    { platform: "TELEGRAM", afterSeconds: 2, leastMs: 1_900 },
    { platform: "X_TWITTER", afterSeconds: 2, leastMs: 1_000 },
  ])("$platform", async ({ platform, afterSeconds, leastMs = 0, statuses }) => {
    const one = await meeting(platform, "rate_limit", { afterSeconds });
    expect(one.seen.overallStatus).toBe("COMPLETED");
    expect(await attemptsOf(one.publicationId)).toBe(0);
    const [post, ...others] = await one.held();
    expect([post?.text, others]).toEqual([one.content, []]);
    expect(Date.parse(post?.receivedTime ?? "") - one.since).toBeGreaterThanOrEqual(leastMs);
    expect((await one.statuses()).filter((status) => status === 200 || status === 201)).toHaveLength(1);
    if (statuses) expect(await one.statuses()).toEqual(statuses);
  });
});

/** TikTok posts a photo, whose only call is the final one: a part of a video would have been sent before. */
describe("a permission that is revoked on the final call: FAILED, nothing is out, and the account must be reconnected", () => {
  test.each<Platform>(["YOUTUBE", "TIKTOK", "FACEBOOK", "BLUE_SKY", "LINKEDIN", "PINTEREST"])(
    "%s",
    async (platform) => {
      const one = await meeting(
        platform,
        "revoke_token",
        platform === "TIKTOK" ? { files: async (owner) => [await picture(owner)] } : {},
      );
      expect(one.seen).toMatchObject({
        overallStatus: "FAILED",
        publications: [
          {
            status: "FAILED",
            posts: [{ status: "FAILED", error: expect.stringContaining("Connect the account again") }],
          },
        ],
      });
      expect(await one.held()).toEqual([]);
      const [account] = await db.select().from(accounts).where(eq(accounts.id, one.account));
      expect(account?.state).toBe("RECONNECT_REQUIRED");
    },
  );
});
