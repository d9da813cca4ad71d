import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, publications, schedules } from "../../db";
import { allNetworks, type Network, networkFormats, networkOf } from "../../networks";
import { platforms } from "../../platforms";
import {
  as,
  callsOn,
  connectAccount,
  newOwner,
  picture,
  postsOn,
  readResponse,
  schedule,
  settled,
  withWorker,
} from "../../testing";
import { withApiServed } from "../../testing/served";

withApiServed();
withWorker();

const HOUR_MS = 3_600_000;
const SETTINGS: { [platform: string]: { [name: string]: unknown } } = {
  TIKTOK: { privacyLevel: "PUBLIC_TO_EVERYONE" },
  YOUTUBE: { title: "A" },
};
const settingsFor = ({ platform }: Network) => SETTINGS[platform] ?? {};
const takesPictures = (network: Network) =>
  networkFormats(network, network.settings.parse(settingsFor(network))).image !== undefined;
/** The networks without alt texts. */
const WITHOUT = ["TELEGRAM", "TIKTOK"];

/** An account with images, a function that builds publications with them, and one that sets their alt texts. */
async function withPictures(network: Network, count = 1, more: { [name: string]: unknown } = {}) {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, network.platform);
  const paths = await Promise.all(Array.from({ length: count }, () => picture(owner, 1080, 1080)));
  const chats =
    network.destinations && (await readResponse(client.get(`/v1/accounts/${id}/chats?platform=${network.platform}`)));
  const [chat] = (chats?.[1] as { id: string }[] | undefined) ?? [];
  const post = { content: "The bells of the town", attachmentPaths: paths, chatId: chat?.id };
  const platformSettings = { type: network.settingsTypes[0], ...settingsFor(network), ...more };
  const body = (at: number, fields: object = {}) => ({
    scheduledTime: new Date(at).toISOString(),
    publications: [{ socialMediaAccountId: id, platformSettings, posts: [{ ...post, ...fields }] }],
  });
  async function saying(altText: string, index = 0): Promise<void> {
    const [, name] = paths[index]?.split("/") ?? [];
    expect((await client.patch(`/v1/media/${name}`, { altText })).status).toBe(200);
  }
  return { client, person, paths, body, saying };
}

const problemsOf = async ({ client, body }: Awaited<ReturnType<typeof withPictures>>, fields?: object) => {
  const [, verdict] = await readResponse(client.post("/v1/posts/validate", body(Date.now() + HOUR_MS, fields)));
  return (verdict as { problems: { rule: string; severity?: string }[] }).problems.filter(
    ({ rule }) => rule === "media.alt_text",
  );
};

describe("the alt text of an image", () => {
  test.concurrent.each(
    allNetworks().flatMap((network) => (takesPictures(network) ? [[network.name, network] as const] : [])),
  )(
    "%s gets the current alt text when the post is sent, if it supports alt texts, and the preview shows it",
    { timeout: 60_000 },
    async (_, network) => {
      const one = await withPictures(network);
      const isSent = !WITHOUT.includes(network.platform);
      await one.saying("Bells, Glockenturm-1");
      const { id } = await schedule(one.client, one.body(0).publications, new Date(Date.now() + HOUR_MS));
      const [, shown] = await readResponse(one.client.get(`/v1/posts/${id}/preview`));
      expect(JSON.stringify(shown).includes("Glockenturm-1")).toBe(isSent);
      await one.saying("“Maria” & her sisters,\nseen from below: 100 % bronze");
      expect((await one.client.put(`/v1/posts/${id}`, one.body(Date.now()))).status).toBe(200);
      expect((await settled(one.client, id)).overallStatus).toBe("COMPLETED");
      const held = JSON.stringify(await postsOn(platforms[network.platform], one.person));
      expect(held).toContain("The bells of the town");
      expect(held.includes("“Maria” & her sisters,\\nseen from below: 100 % bronze")).toBe(isSent);
    },
  );
});

describe("an alt text that is too long", () => {
  test("is a problem of the file, with a fix", async () => {
    const one = await withPictures(networkOf("X_TWITTER"), 2);
    await one.saying("a".repeat(1003), 1);
    expect(await problemsOf(one)).toEqual([
      {
        path: "publications[0].posts[0].attachmentPaths[1]",
        message: "X takes at most 1000 UTF-16 units of alt text, this file's has 1003",
        rule: "media.alt_text",
        measured: 1003,
        limit: { max: 1000 },
        source: "https://docs.x.com/x-api/media/create-media-metadata",
        fix: "Shorten the alt text by 3 UTF-16 units",
      },
    ]);
    expect((await one.client.post("/v1/posts", one.body(Date.now() + HOUR_MS))).status).toBe(400);
  });

  test("is ignored by a network that gets no alt texts", async () => {
    const one = await withPictures(networkOf("TELEGRAM"));
    await one.saying("a".repeat(4086));
    expect(await problemsOf(one)).toEqual([]);
    const story = await withPictures(networkOf("INSTAGRAM"), 1, { publicationType: "STORY" });
    await story.saying("a".repeat(1001));
    expect(await problemsOf(story)).toEqual([]);
  });

  test("is ignored if the Pin has its own alt text; of several images only the first one's or the cover's counts", async () => {
    const own = await withPictures(networkOf("PINTEREST"), 1, { altText: "A bell" });
    await own.saying("a".repeat(501));
    expect(await problemsOf(own)).toEqual([]);
    const two = await withPictures(networkOf("PINTEREST"), 2);
    await two.saying("a".repeat(501), 1);
    expect(await problemsOf(two)).toEqual([]);
    expect(await problemsOf(two, { thumbnailPath: two.paths[1] })).toMatchObject([
      { path: "publications[0].posts[0].attachmentPaths[1]", measured: 501 },
    ]);
  });

  test("that was set after the check fails before anything is sent, and a shorter one is sent", async () => {
    const one = await withPictures(networkOf("X_TWITTER"));
    await one.saying("A bell");
    const { id } = await schedule(one.client, one.body(0).publications, new Date(Date.now() + HOUR_MS));
    await one.saying("a".repeat(1001));
    const says = "X takes at most 1000 UTF-16 units of alt text, this file's has 1001";
    const [, shown] = await readResponse(one.client.get(`/v1/posts/${id}/preview`));
    expect(shown).toMatchObject({ publications: [{ posts: [{ requests: [], problem: says }] }] });
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
    await db.update(publications).set({ dueAt: sql`now()` }).where(eq(publications.scheduleId, id));
    const failed = await settled(one.client, id);
    expect(failed.publications).toMatchObject([{ status: "FAILED", posts: [{ error: says }] }]);
    expect(await callsOn("x", one.person, "upload")).toEqual([]);
    await one.saying("A bell again");
    await one.client.post(`/v1/posts/${id}/retry`, {});
    expect((await settled(one.client, id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", one.person)).toMatchObject([{ settings: { altTexts: ["A bell again"] } }]);
  });
});
