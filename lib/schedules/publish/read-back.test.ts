import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { accounts, db, isUniqueViolation, posts, publications, publishSteps, schedules } from "../../db";
import { allNetworks, type Network, networkOf } from "../../networks";
import { paddedMp4 } from "../../networks/linkedin/testing/sandbox";
import { type Platform, platforms } from "../../platforms";
import {
  as,
  connectAccount,
  fault,
  inAnHour,
  newOwner,
  newPerson,
  picture,
  postsOn,
  read,
  readResponse,
  schedule,
  uploaded,
} from "../../testing";
import { recipeOf } from "../../testing/recipe";
import { withApiServed } from "../../testing/served";
import { eraseSchedules } from "../delete";
import { attemptPublication, dieAt, finish } from "../testing/workers";

withApiServed(); // some networks fetch files themselves, from the product's own address

const TEXT = "The bells of the town";

type Place = {
  owner: string;
  person: string;
  account: number;
  /** The files of all its posts, unless a test gives others. */
  files?: Promise<string[]>;
};

async function connected(network: Network, person = newPerson()): Promise<Place> {
  const owner = await newOwner();
  return { owner, person, account: (await connectAccount(owner, network.platform, person)).id };
}

/** A photo, so that a post needs no text. YouTube takes only videos. */
async function filesFor(network: Network, owner: string): Promise<string[]> {
  if (network.formats.image) return [await picture(owner, 1080, 1080)];
  const files = await recipeOf(network).files();
  return Promise.all(files.map(({ bytes, filename }) => uploaded(as(owner), bytes, filename)));
}

/** What a post has instead of the files and settings that its network requires. */
type Given = { files?: string[]; settings?: object };

/** A due post that only this test's workers publish. */
async function due(network: Network, content: string, place: Place, given: Given = {}) {
  const { owner, person, account } = place;
  const client = as(owner);
  const chats =
    network.destinations &&
    (await readResponse(client.get(`/v1/accounts/${account}/chats?platform=${network.platform}`)));
  const chatId = (chats?.[1] as { id: string }[] | undefined)?.[0]?.id;
  const platformSettings = { ...recipeOf(network).platformSettings, ...given.settings };
  if (!given.files) place.files ??= filesFor(network, owner);
  const attachmentPaths = given.files ?? (await place.files);
  const on = { socialMediaAccountId: account, platformSettings, posts: [{ content, attachmentPaths, chatId }] };
  const made = await schedule(client, [on], inAnHour());
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const { id: publicationId = 0, posts: [post] = [] } = made.publications[0] ?? {};
  return {
    id: made.id,
    publicationId,
    postId: post?.id ?? 0,
    client,
    seen: () => read(client, made.id),
    live: async () => (await postsOn(platforms[network.platform], person)).map(({ id }) => id),
  };
}

/** Another owner connects the same account. */
async function takeOver(network: Network, { person, account }: Place): Promise<Place> {
  await db.update(accounts).set({ disconnectedAt: sql`now()` }).where(eq(accounts.id, account));
  return connected(network, person);
}

type Due = Awaited<ReturnType<typeof due>>;

/** An attempt and two lookups. */
async function lookUp(...all: Due[]): Promise<void> {
  for (let look = 0; look < 2; look++)
    await Promise.all(all.map(({ publicationId }) => attemptPublication(publicationId)));
}

async function outcomeOf({ seen }: Due) {
  const [publication] = (await seen()).publications;
  return { status: publication?.status, id: publication?.posts[0]?.networkPostId };
}

/** Each published post has its own live post. A post that is live is not reported as failed. */
async function expectTruth(...all: [Due, ...Due[]]): Promise<void> {
  const outcomes = await Promise.all(all.map(outcomeOf));
  const published = outcomes.filter(({ status }) => status === "PUBLISHED").map(({ id }) => id);
  expect(new Set(published).size).toBe(published.length);
  const live = await all[0].live();
  expect(published.length).toBeLessThanOrEqual(live.length);
  if (live.length > published.length) expect(outcomes.map(({ status }) => status)).not.toContain("FAILED");
}

describe.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "on %s a lookup",
  (_, network) => {
    test("does not adopt the post of another publication, whoever owns it", async () => {
      const place = await connected(network);
      const first = await due(network, "", place);
      expect((await finish(first)).overallStatus).toBe("COMPLETED");
      const second = await due(network, "", await takeOver(network, place));
      await dieAt("announced", second.publicationId);
      await lookUp(second);
      await expectTruth(first, second);
    });

    test("does not adopt a post that was created before the call and that Carillon does not know", async () => {
      const place = await connected(network);
      const [first, second] = [await due(network, TEXT, place), await due(network, TEXT, place)];
      await finish(first);
      const { id: older } = await outcomeOf(first);
      await db.delete(schedules).where(eq(schedules.id, first.id));
      await dieAt("announced", second.publicationId);
      await lookUp(second);
      const { status, id } = await outcomeOf(second);
      if (status === "PUBLISHED") expect(id).not.toBe(older);
      expect(status).not.toBe("FAILED");
    });

    test("adopts nothing that may be another post whose outcome is open, in two lookups at once", async () => {
      const place = await connected(network);
      const [first, second] = [await due(network, "", place), await due(network, "", place)];
      await dieAt("announced", first.publicationId);
      await dieAt("answered", second.publicationId);
      await lookUp(first);
      await expectTruth(first, second);
      await lookUp(first, second);
      await lookUp(second, first);
      await expectTruth(first, second);
    });
  },
);

describe("a lookup does not adopt a post that was published after the call and then deleted here", () => {
  test.concurrent.each(["X_TWITTER", "TIKTOK", "LINKEDIN", "FACEBOOK", "PINTEREST"] as const)(
    "on %s",
    async (platform) => {
      const network = networkOf(platform);
      const place = await connected(network);
      const given = platform === "LINKEDIN" ? { files: [] } : {}; // LinkedIn names the first post only if nothing differs
      const [lost, deleted] = [await due(network, TEXT, place, given), await due(network, TEXT, place, given)];
      await dieAt("announced", lost.publicationId);
      expect((await finish(deleted)).overallStatus).toBe("COMPLETED");
      expect((await readResponse(lost.client.delete(`/v1/posts/${deleted.id}`)))[0]).toBe(204);
      await lookUp(lost);
      expect(await lost.live()).toHaveLength(1);
      expect((await outcomeOf(lost)).status).not.toBe("PUBLISHED");
    },
  );

  test("with the user whom it belonged to", async () => {
    const network = networkOf("X_TWITTER");
    const place = await connected(network);
    const lost = await due(network, TEXT, place);
    await dieAt("announced", lost.publicationId);
    const other = await takeOver(network, place);
    const deleted = await due(network, TEXT, other);
    expect((await finish(deleted)).overallStatus).toBe("COMPLETED");
    await eraseSchedules(other.owner);
    await db.update(accounts).set({ disconnectedAt: sql`now()` }).where(eq(accounts.id, other.account));
    await db.update(accounts).set({ disconnectedAt: null }).where(eq(accounts.id, place.account));
    await lookUp(lost);
    expect((await outcomeOf(lost)).status).not.toBe("PUBLISHED");
  });
});

test("a lookup does not adopt what the call of another post may have made before that post was sent again", async () => {
  const network = networkOf("PINTEREST");
  const place = await connected(network);
  const [lost, again] = [await due(network, TEXT, place), await due(network, TEXT, place)];
  await dieAt("announced", lost.publicationId);
  await dieAt("answered", again.publicationId);
  await db.update(publications).set({ sendAgain: true }).where(eq(publications.id, again.publicationId));
  expect((await finish(again)).overallStatus).toBe("COMPLETED");
  expect(await again.live()).toHaveLength(2);
  await lookUp(lost);
  expect((await outcomeOf(lost)).status).not.toBe("PUBLISHED");
});

describe("a post whose final call had no answer and no effect", () => {
  const privacy = (privacyLevel: string): Given => ({ settings: { privacyLevel } });
  test.concurrent.each<[string, Platform, Given, number]>([
    ["LinkedIn, after ten minutes", "LINKEDIN", { files: [] }, 409],
    ["TikTok, if the post is not public", "TIKTOK", privacy("SELF_ONLY"), 409],
    ["TikTok, if the post is public", "TIKTOK", privacy("PUBLIC_TO_EVERYONE"), 200],
  ])("%s: is sent again only if its owner allows it", async (_, platform, given, withoutPermission) => {
    const network = networkOf(platform);
    const lost = await due(network, TEXT, await connected(network), given);
    const retry = async (body: object) => (await readResponse(lost.client.post(`/v1/posts/${lost.id}/retry`, body)))[0];
    await dieAt("announced", lost.publicationId);
    const long = sql`now() - interval '11 minutes'`;
    await db.update(publishSteps).set({ startedAt: long, sentAt: long }).where(eq(publishSteps.postId, lost.postId));
    await finish(lost);
    expect(await retry({})).toBe(withoutPermission);
    await finish(lost);
    expect([(await outcomeOf(lost)).status, await lost.live()]).toEqual(["UNKNOWN", []]);
    expect(await retry({ sendAgain: true })).toBe(200);
    await finish(lost);
    expect([(await outcomeOf(lost)).status, (await lost.live()).length]).toEqual(["PUBLISHED", 1]);
  });
});

test.each([TEXT, "https://www.youtube.com/watch?v=1"])(
  "on Facebook, the text %j is not taken for a video with this text that is published meanwhile",
  async (content) => {
    const facebook = networkOf("FACEBOOK");
    const place = await connected(facebook);
    const text = await due(facebook, content, place, { files: [] });
    const film = await uploaded(as(place.owner), paddedMp4(80_000, 5, 30), "film.mp4");
    const video = await due(facebook, content, place, { files: [film] });
    await dieAt("announced", text.publicationId);
    await dieAt("answered", video.publicationId);
    await vi.waitFor(async () => expect(await video.live()).toHaveLength(1));
    await lookUp(text);
    expect((await outcomeOf(text)).status).not.toBe("PUBLISHED");
    await expectTruth(text, video);
  },
);

test("on LinkedIn, a post is not taken for one with the same text and another visibility", async () => {
  const linkedin = networkOf("LINKEDIN");
  const place = await connected(linkedin);
  const first = await due(linkedin, TEXT, place, { files: [], settings: { visibility: "PUBLIC" } });
  const second = await due(linkedin, TEXT, place, { files: [], settings: { visibility: "CONNECTIONS" } });
  await dieAt("announced", second.publicationId);
  await dieAt("answered", first.publicationId);
  await fault({ network: "linkedin", operation: "publish", fault: "duplicate" });
  await attemptPublication(second.publicationId);
  expect((await outcomeOf(second)).status).not.toBe("PUBLISHED");
  await expectTruth(first, second);
});

test("on LinkedIn, a post is not taken for one that LinkedIn names and that is older than a day", async () => {
  const linkedin = networkOf("LINKEDIN");
  const lost = await due(linkedin, TEXT, await connected(linkedin), { files: [] });
  await dieAt("announced", lost.publicationId);
  await fault({ network: "linkedin", operation: "publish", fault: "duplicate" }); // names a post from February 2026
  await attemptPublication(lost.publicationId);
  expect([(await outcomeOf(lost)).status, await lost.live()]).toEqual(["UNKNOWN", []]);
});

test("on TikTok, drafts and posts that are not public count as looking the same, because a person can publish them", async () => {
  const tiktok = networkOf("TIKTOK");
  const place = await connected(tiktok);
  const keys: (string | null | undefined)[] = [];
  for (const settings of [
    { privacyLevel: "PUBLIC_TO_EVERYONE" },
    { privacyLevel: "PUBLIC_TO_EVERYONE", sendToDrafts: true },
    { privacyLevel: "SELF_ONLY" },
  ]) {
    const { publicationId, postId } = await due(tiktok, TEXT, place, { settings });
    await dieAt("announced", publicationId);
    const ofPost = and(eq(publishSteps.postId, postId), eq(publishSteps.state, "SENDING"));
    keys.push((await db.select().from(publishSteps).where(ofPost))[0]?.lookalikeKey);
  }
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
});

test("the database gives an ID of a network to one post", async () => {
  const place = await connected(networkOf("X_TWITTER"));
  const [first, second] = [
    await due(networkOf("X_TWITTER"), TEXT, place),
    await due(networkOf("X_TWITTER"), TEXT, place),
  ];
  await finish(first);
  const [held] = await db.select().from(posts).where(eq(posts.id, first.postId));
  const { networkPlace, networkPostId } = held ?? {};
  expect(networkPlace).toMatch(/^X_TWITTER \d+$/);
  await expect(
    db.update(posts).set({ networkPlace, networkPostId }).where(eq(posts.id, second.postId)),
  ).rejects.toSatisfy(isUniqueViolation);
});
