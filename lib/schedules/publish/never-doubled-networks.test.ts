import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { db, publishSteps, schedules } from "../../db";
import type { FailPoint } from "../../jobs/fail-points";
import { allNetworks } from "../../networks";
import { type Platform, platforms, platformValues } from "../../platforms";
import { callsOn, connectAccount, postsOn, read, schedule } from "../../testing";
import { isLongRun } from "../../testing/breadth";
import {
  type Author,
  formatsOf,
  newAuthor,
  type PostFormat,
  type postFormats,
  publicationPartsOf,
} from "../../testing/formats";
import { setSwitches } from "../../testing/sandbox";
import { withApiServed } from "../../testing/served";
import { dieAt, finish } from "../testing/workers";

withApiServed(); // some networks fetch files themselves, from the product's own address

const HOUR = 3_600_000;

type Way = Omit<PostFormat, "name"> & {
  name: string;
  /** What happens after a call that was announced and never answered. */
  announced: "sent again" | "unknown";
  /** The network does not show such a post to us, so its outcome is unknown after every lost answer. */
  isHidden?: true;
  /** The creator publishes it, so it has no ID and no address until then. */
  isDraft?: true;
  /** The number of the final call among the calls with an intent, if it is not the first. */
  finalCall?: number;
};

/** The points of each call with an intent. */
const OF_A_CALL: FailPoint[] = ["prepared", "announced", "answered", "stored"];

/**
 * Workers die one after the other at these points. The points of a call are those of the final call. A fourth claim without progress
 * would end the publication.
 */
async function dieFinally(points: FailPoint[], publicationId: number, { finalCall = 1 }: Way) {
  let nth = finalCall;
  for (const point of points) {
    await dieAt(point, publicationId, OF_A_CALL.includes(point) ? nth : 1);
    if (OF_A_CALL.includes(point)) nth = 1; // the calls before it are stored
  }
}

/** What is known of a call of each format whose answer is missing. */
const LOST: { [N in keyof typeof postFormats]: Omit<Way, keyof PostFormat> } = {
  "LinkedIn, a document": { announced: "sent again" },
  "LinkedIn, a company page": { announced: "sent again" },
  "X, a poll": { announced: "unknown" },
  "X, a quote": { announced: "unknown" },
  "Threads, a poll": { announced: "sent again" },
  "Threads, a quote": { announced: "sent again" },
  "Threads, a link and a place": { announced: "sent again" },
  "Bluesky, a gate": { announced: "sent again" },
  "Bluesky, a quote": { announced: "sent again" },
  "Telegram, formatted and silent": { announced: "unknown", isHidden: true },
  "Facebook, a button": { announced: "unknown" },
  "Facebook, a story": { announced: "sent again" },
  "Instagram, people in several pictures": { announced: "sent again" },
  "Instagram, a reel with people": { announced: "sent again" },
  "Instagram, a story": { announced: "sent again" },
  "TikTok, a draft of photos": { announced: "unknown", isHidden: true },
  "TikTok, a draft of a video": { announced: "sent again", isDraft: true, finalCall: 2 },
  "Pinterest, several pictures": { announced: "unknown" },
  "YouTube, captions and a playlist": { announced: "sent again" },
};

const ways: Way[] = [
  { name: "LinkedIn", platform: "LINKEDIN", announced: "sent again" },
  { name: "Pinterest", platform: "PINTEREST", files: ["image"], announced: "unknown" },
  ...platformValues.flatMap(formatsOf).map((format) => ({ ...format, ...LOST[format.name as keyof typeof LOST] })),
];

/** Settings that SPEC has, that choose how a post looks, or, like `firstComment`, that have tests of their own. */
const PLAIN: { [P in Platform]?: string[] } = {
  YOUTUBE: ["title", "privacyStatus", "category"],
  THREADS: ["topicTag"],
  TIKTOK: [
    ...["title", "privacyLevel", "disableDuet", "disableComments", "disableStitch", "brandContent", "brandOrganic"],
    ...["aiContent", "autoAddMusic", "hasUsageConfirmation", "videoCoverTimestampMs", "photoCoverIndex"],
  ],
  INSTAGRAM: ["aiContent"],
  LINKEDIN: ["visibility"],
  PINTEREST: ["title", "link", "altText", "boardSectionId"],
};

const everyNetwork = allNetworks().map((network) => [network.name, network] as const);

test.each(everyNetwork)("%s: every other setting is in a format", (_, { platform, settings }) => {
  const given = formatsOf(platform).flatMap(({ settings: some = {}, isQuote, hasPlaylist }) => [
    ...Object.keys(some),
    ...(isQuote ? ["quote"] : []),
    ...(hasPlaylist ? ["playlistId"] : []),
  ]);
  const named = Object.keys(z.toJSONSchema(settings, { io: "input" }).properties ?? {});
  const expected = named.filter((name) => name !== "firstComment" && !PLAIN[platform]?.includes(name));
  expect(expected.filter((name) => !given.includes(name))).toEqual([]);
});

let author: Author;
beforeAll(async () => {
  author = await newAuthor();
  await setSwitches("x", { enterprise: true }); // X lets only such an app quote posts
});
afterAll(() => setSwitches("x", {}));

/** A due schedule that only this test's worker picks up. */
async function due(way: PostFormat, content = "once") {
  const { platform, hasNoText } = way;
  const { owner, client } = author;
  const account = await connectAccount(owner, platform);
  const { platformSettings, post } = await publicationPartsOf(way, author, account);
  const posts = [{ ...post, content: hasNoText ? "" : content }];
  const on = { socialMediaAccountId: account.id, platformSettings, posts };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const calls = () => callsOn(platforms[platform], account.person, "publish");
  return {
    publicationId: made.publications[0]?.id ?? 0,
    postId: made.publications[0]?.posts[0]?.id ?? 0,
    seen: () => read(client, made.id),
    held: () => postsOn(platforms[platform], account.person),
    made: async () => (await calls()).filter(({ status }) => status === 200 || status === 201).length,
    asked: async () => (await calls()).length,
  };
}

/** The points before the call that publishes. */
const BEFORE: FailPoint[] = ["claimed", "opened", "prepared"];

/**
 * Where the workers of a format die. Several of them die for one post, which costs less than a post for each. Every format has all
 * points at and after its call, and two of the three before it, by turns. In the long run, each point has a post of its own too.
 */
function deathsOf(index: number, { isHidden }: Way): { known: FailPoint[][]; announced: FailPoint[][] } {
  const beforeCall = (turn: number) => BEFORE[(index + turn) % BEFORE.length] as FailPoint;
  const known: FailPoint[][] = [
    isHidden ? [beforeCall(2), "answered"] : ["answered", "found"],
    [beforeCall(0), "stored", "settled"],
  ];
  const announced: FailPoint[][] = [[beforeCall(1), "announced"]];
  if (!isLongRun) return { known, announced };
  const alone: FailPoint[] = [...BEFORE, "answered", "stored", "settled"];
  return { known: [...known, ...alone.map((point) => [point])], announced: [...announced, ["announced"]] };
}

/** A list of cases with their names. */
const namedDeaths = (all: FailPoint[][]) => all.map((points) => [points.join(", "), points] as const);

describe.concurrent.each(ways.map((way, index) => ({ ...way, deaths: deathsOf(index, way) })))(
  "workers that die while they publish: $name",
  ({ deaths, ...way }) => {
    test.each(namedDeaths(deaths.known))(
      "%s: one post, recorded as published, or as unknown if the answer is lost and the network does not show it",
      async (_, points) => {
        const one = await due(way);
        await dieFinally(points, one.publicationId, way);
        const isLost = way.isHidden && points.includes("answered");
        if (isLost) await age(one.postId);
        const [publication] = (await finish(one)).publications;
        // TikTok fetches photos after its answer, so a draft of which we know no outcome may appear a moment later.
        const held = await vi.waitFor(
          async () => {
            const held = await one.held();
            expect(held).toHaveLength(1);
            return held;
          },
          { timeout: 45_000 },
        );
        expect([publication?.status, held.length, await one.made()]).toEqual([isLost ? "UNKNOWN" : "PUBLISHED", 1, 1]);
        if (way.isHidden || way.isDraft) return;
        expect(publication?.posts[0]).toMatchObject({ networkPostId: held[0]?.id, permalink: held[0]?.permalink });
      },
    );

    const then =
      way.announced === "unknown"
        ? "not repeated, and its outcome is unknown"
        : "sent again, which cannot double the post";
    test.each(namedDeaths(deaths.announced))(`%s: the call is ${then}`, async (_, points) => {
      const one = await due(way);
      await dieFinally(points, one.publicationId, way);
      if (way.announced === "unknown") await age(one.postId);
      const [publication] = (await finish(one)).publications;
      const count = way.announced === "unknown" ? 0 : 1;
      expect([publication?.status, (await one.held()).length, await one.made()]).toEqual([
        count === 0 ? "UNKNOWN" : "PUBLISHED",
        count,
        count,
      ]);
    });
  },
);

/** Makes the intent older than the longest wait for an answer. */
async function age(postId: number): Promise<void> {
  const long = sql`now() - interval '20 seconds'`;
  await db.update(publishSteps).set({ startedAt: long, sentAt: long }).where(eq(publishSteps.postId, postId));
}

test("a worker that dies after the second kind of call: neither call is repeated", async () => {
  // Facebook cannot create a preview of this link, so the text is sent without one.
  const one = await due({ name: "Facebook", platform: "FACEBOOK" }, "once https://nothing.invalid");
  await dieAt("stored", one.publicationId);
  const asked = await one.asked();
  expect((await finish(one)).overallStatus).toBe("COMPLETED");
  expect([(await one.held()).length, await one.asked()]).toEqual([1, asked]);
});
