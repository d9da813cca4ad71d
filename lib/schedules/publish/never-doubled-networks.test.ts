import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, publishSteps, schedules } from "../../db";
import type { FailPoint } from "../../jobs/fail-points";
import { networkOf } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import { callsOn, connect, firstChat, postsOn, read, schedule } from "../../testing";
import { withApiServed } from "../../testing/served";
import { type Author, type FileKind, newAuthor } from "../testing/due";
import { dieAt, finish } from "../testing/workers";

withApiServed(); // some networks fetch files themselves, from the product's own address

const HOUR = 3_600_000;

type Way = { name: string; platform: Platform; settings?: object; files?: FileKind[] };

/**
 * One way to publish for each kind of final call and of look-up. `announced`: what happens after a call that was announced and never
 * answered. `isHidden`: the network does not show such a post to us, so its outcome is unknown after every lost answer.
 */
const ways: (Way & { announced: "sent again" | "unknown"; isHidden?: true })[] = [
  { name: "LinkedIn", platform: "LINKEDIN", announced: "sent again" },
  { name: "LinkedIn, a document", platform: "LINKEDIN", files: ["document"], announced: "sent again" },
  { name: "Pinterest", platform: "PINTEREST", files: ["image"], announced: "unknown" },
  { name: "Bluesky, a gate", platform: "BLUE_SKY", settings: { whoCanReply: ["NOBODY"] }, announced: "sent again" },
  { name: "X, a poll", platform: "X_TWITTER", settings: { pollOptions: ["Ding", "Dong"] }, announced: "unknown" },
  {
    name: "Threads, a poll",
    platform: "THREADS",
    settings: { pollOptions: ["Ding", "Dong"] },
    announced: "sent again",
  },
  {
    name: "Facebook, a button",
    platform: "FACEBOOK",
    settings: { link: "https://example.com/bells", callToAction: "LEARN_MORE" },
    announced: "unknown",
  },
  {
    name: "TikTok, a draft of photos",
    platform: "TIKTOK",
    settings: { privacyLevel: "PUBLIC_TO_EVERYONE", sendToDrafts: true },
    files: ["image", "image"],
    announced: "unknown",
    isHidden: true,
  },
];

let author: Author;
beforeAll(async () => {
  author = await newAuthor();
});

/** A due schedule that only this test's worker picks up. */
async function due({ platform, settings, files = [] }: Omit<Way, "name">, content = "once") {
  const { owner, client, pathsOf } = author;
  const { id: account, person } = await connect(owner, platform);
  const network = networkOf(platform);
  const posts = [{ content, attachmentPaths: pathsOf(files), chatId: await firstChat(client, account, network) }];
  const platformSettings = { type: network.settingsTypes[0], ...settings };
  const on = { socialMediaAccountId: account, platformSettings, posts };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const calls = () => callsOn(platforms[platform], person, "publish");
  return {
    publicationId: made.publications[0]?.id ?? 0,
    postId: made.publications[0]?.posts[0]?.id ?? 0,
    seen: () => read(client, made.id),
    held: () => postsOn(platforms[platform], person),
    made: async () => (await calls()).filter(({ status }) => status === 200 || status === 201).length,
    asked: async () => (await calls()).length,
  };
}

describe.each(ways)("a worker that dies while it publishes: $name", (way) => {
  test.each<[FailPoint]>([["claimed"], ["opened"], ["prepared"], ["answered"], ["stored"], ["settled"]])(
    "%s: one post, recorded as published, or as unknown if the answer is lost and the network does not show it",
    async (point) => {
      const one = await due(way);
      await dieAt(point, one.publicationId);
      const isLost = way.isHidden && point === "answered";
      if (isLost) await age(one.postId);
      const [publication] = (await finish(one)).publications;
      const held = await one.held();
      expect([publication?.status, held.length, await one.made()]).toEqual([isLost ? "UNKNOWN" : "PUBLISHED", 1, 1]);
      if (way.isHidden) return; // the post has an ID and an address when the creator has published it
      expect(publication?.posts[0]).toMatchObject({ networkPostId: held[0]?.id, permalink: held[0]?.permalink });
    },
  );

  test(`announced: the call is ${way.announced === "unknown" ? "not repeated, and its outcome is unknown" : "sent again, which cannot double the post"}`, async () => {
    const one = await due(way);
    await dieAt("announced", one.publicationId);
    if (way.announced === "unknown") await age(one.postId);
    const [publication] = (await finish(one)).publications;
    const count = way.announced === "unknown" ? 0 : 1;
    expect([publication?.status, (await one.held()).length, await one.made()]).toEqual([
      count === 0 ? "UNKNOWN" : "PUBLISHED",
      count,
      count,
    ]);
  });
});

test.each(ways.filter(({ isHidden }) => !isHidden))(
  "$name: found, after another worker died with the answer: found again",
  async (way) => {
    const one = await due(way);
    await dieAt("answered", one.publicationId);
    await dieAt("found", one.publicationId);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
    expect([(await one.held()).length, await one.made()]).toEqual([1, 1]);
  },
);

/** Makes the intent older than the longest wait for an answer. */
async function age(postId: number): Promise<void> {
  const long = sql`now() - interval '20 seconds'`;
  await db.update(publishSteps).set({ startedAt: long, sentAt: long }).where(eq(publishSteps.postId, postId));
}

test("a worker that dies after the second kind of call: neither call is repeated", async () => {
  // Facebook cannot create a preview of this link, so the text is sent without one.
  const one = await due({ platform: "FACEBOOK" }, "once https://nothing.invalid");
  await dieAt("stored", one.publicationId);
  const asked = await one.asked();
  expect((await finish(one)).overallStatus).toBe("COMPLETED");
  expect([(await one.held()).length, await one.asked()]).toEqual([1, asked]);
});
