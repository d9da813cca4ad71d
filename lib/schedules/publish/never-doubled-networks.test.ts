import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, publishSteps, schedules } from "../../db";
import type { FailPoint } from "../../jobs/fail-points";
import type { Platform } from "../../platforms";
import { as, callsOn, connect, newOwner, picture, postsOn, read, schedule, told } from "../../testing";
import { dieAt, finish } from "../testing/workers";

const HOUR = 3_600_000;

/** How each network is asked for the outcome of a call that was announced and never answered. */
const networks = [
  { platform: "LINKEDIN", name: "linkedin", silence: "looked up by sending it again" },
  { platform: "PINTEREST", name: "pinterest", silence: "read, shows nothing, so the outcome is unknown" },
] as const;

/** Facebook cannot create a preview of this link, so the text is sent without one. */
const facebook = { platform: "FACEBOOK", name: "facebook" } as const;

async function postFor(platform: Platform, owner: string, account: number) {
  if (platform === "LINKEDIN") return { content: "once" };
  const [, boards] = await told(as(owner).get(`/v1/accounts/${account}/chats?platform=${platform}`));
  const chatId = (boards as { id: string }[])[0]?.id;
  if (platform === "FACEBOOK") return { content: "once https://nothing.invalid", chatId };
  return { content: "once", chatId, attachmentPaths: [await picture(owner)] };
}

/** A due schedule that only this test's worker picks up. */
async function due({ platform, name }: (typeof networks)[number] | typeof facebook) {
  const owner = await newOwner();
  const { id: account, person } = await connect(owner, platform);
  const posts = [await postFor(platform, owner, account)];
  const on = { socialMediaAccountId: account, platformSettings: { type: platform }, posts };
  const made = await schedule(as(owner), [on], new Date(Date.now() + HOUR));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  return {
    publicationId: made.publications[0]?.id ?? 0,
    postId: made.publications[0]?.posts[0]?.id ?? 0,
    seen: () => read(as(owner), made.id),
    held: () => postsOn(name, person),
    made: async () => (await callsOn(name, person, "publish")).filter(({ status }) => status === 201).length,
    asked: async () => (await callsOn(name, person, "publish")).length,
  };
}

describe.each(networks)("a worker that dies while it publishes to $platform", (network) => {
  test.each<[FailPoint]>([["claimed"], ["opened"], ["prepared"], ["answered"], ["stored"], ["settled"]])(
    "%s: one post, recorded as published",
    async (point) => {
      const one = await due(network);
      await dieAt(point, one.publicationId);
      const seen = await finish(one);
      expect(seen.overallStatus).toBe("COMPLETED");
      const held = await one.held();
      expect([held.length, await one.made()]).toEqual([1, 1]);
      expect(seen.publications[0]?.posts[0]).toMatchObject({
        networkPostId: held[0]?.id,
        permalink: held[0]?.permalink,
      });
    },
  );

  test("found, after another worker died with the answer: found again", async () => {
    const one = await due(network);
    await dieAt("answered", one.publicationId);
    await dieAt("found", one.publicationId);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
    expect([(await one.held()).length, await one.made()]).toEqual([1, 1]);
  });

  test(`announced: ${network.silence}`, async () => {
    const one = await due(network);
    await dieAt("announced", one.publicationId);
    if (network.platform === "LINKEDIN") {
      expect((await finish(one)).overallStatus).toBe("COMPLETED");
      expect([(await one.held()).length, await one.made()]).toEqual([1, 1]);
      return;
    }
    // Makes the intent older than the longest wait for an answer.
    const long = sql`now() - interval '20 seconds'`;
    await db.update(publishSteps).set({ startedAt: long, sentAt: long }).where(eq(publishSteps.postId, one.postId));
    expect((await finish(one)).publications[0]).toMatchObject({ status: "UNKNOWN" });
    expect([(await one.held()).length, await one.made()]).toEqual([0, 0]);
  });
});

test("a worker that dies after the second kind of call: neither call is repeated", async () => {
  const one = await due(facebook);
  await dieAt("stored", one.publicationId);
  const asked = await one.asked();
  expect((await finish(one)).overallStatus).toBe("COMPLETED");
  expect([(await one.held()).length, await one.asked()]).toEqual([1, asked]);
});
