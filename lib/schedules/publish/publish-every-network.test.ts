import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { sealTokens, tokensOf } from "../../accounts/accounts";
import { accounts, db, media } from "../../db";
import { openMedia } from "../../media";
import { allNetworks, type FileKind, type Network, networkOf } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import {
  attemptsOf,
  callsOn,
  chatsOf,
  clip,
  connectAccount,
  dueIn,
  fault,
  forget,
  picture,
  postsOn,
  read,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";
import { casesOf } from "../../testing/breadth";
import { type Author, newAuthor } from "../../testing/formats";
import { setSwitches } from "../../testing/sandbox";
import { withApiServed } from "../../testing/served";
import { plainPublication } from "../testing/due";

withWorker();
withApiServed(); // some networks fetch files themselves, from the product's own address

/** The cases of one network follow each other, which limits the load. All networks run at once. */
const everyNetwork = allNetworks().map((network) => [network.name, network] as const);

function byNetwork<Row extends { platform: Platform }>(rows: Row[]): [name: string, rows: Row[]][] {
  const used = [...new Set(rows.map(({ platform }) => platform))];
  return used.map((one) => [networkOf(one).name, rows.filter(({ platform }) => platform === one)]);
}

/** The status of each final call, or of each call of another operation; 0: the answer was lost. */
async function statusesOf(platform: Platform, person: string, operation = "publish"): Promise<number[]> {
  return (await callsOn(platforms[platform], person, operation)).map(({ status }) => status);
}

/** One publication, and what the network holds of it. */
type Format = {
  /** The text; the format's name if this is not set. */
  text?: string;
  /** The files of each post. More than one post is a thread. */
  posts?: FileKind[][];
  settings?: object;
  /** The file of this number and kind is the cover. */
  cover?: FileKind[];
  /** The account's destination of this number. */
  chat?: number;
  /** The files of each post on the network, if the network divides a post. */
  held?: FileKind[][];
  /** More of what the network holds of the first post. */
  holds?: object;
  /** Only the creator can see the post, so the network gives it no public id. */
  isPrivate?: boolean;
};

const THREAD: Format = { posts: [[], ["image"], []] };
const STORY = { text: "", settings: { publicationType: "STORY" } };
const REEL = { posts: [["video" as const]], settings: { publicationType: "REELS" } };
const TO_ALL = { privacyLevel: "PUBLIC_TO_EVERYONE" };

const FORMATS: { [P in Platform]: { [name: string]: Format } } = {
  X_TWITTER: {
    "a text": {},
    "an image": { posts: [["image"]] },
    "images without a text": { text: "", posts: [["image", "image"]] },
    "a video": { posts: [["video"]] },
    "a thread": THREAD,
    "a thread with a video": { posts: [[], ["video"]] },
  },
  YOUTUBE: {
    "a video with a cover": {
      posts: [["video"]],
      cover: ["image"],
      settings: { title: "bells", privacyStatus: "UNLISTED", category: "COMEDY" },
      holds: {
        settings: { title: "bells", categoryId: "23", privacyStatus: "unlisted", thumbnail: expect.any(Object) },
      },
    },
  },
  THREADS: {
    "a text": { settings: { topicTag: "bells" } },
    "an image": { posts: [["image"]] },
    "a video": { posts: [["video"]] },
    "a carousel": { posts: [["image", "video", "image"]] },
    "a thread": THREAD,
  },
  TIKTOK: {
    "a video": { posts: [["video"]], settings: TO_ALL },
    "a photo": { posts: [["image"]], settings: TO_ALL },
    photos: { posts: [["image", "image"]], settings: TO_ALL },
    "a private video": { posts: [["video"]], settings: { privacyLevel: "SELF_ONLY" }, isPrivate: true },
  },
  INSTAGRAM: {
    "an image": { posts: [["image"]] },
    "a carousel": { posts: [["image", "image"]] },
    "a mixed carousel": { posts: [["video", "image"]] },
    "a reel": {
      ...REEL,
      cover: ["image"],
      holds: { settings: { cover_url: expect.stringContaining("/media/") } },
    },
    stories: { ...STORY, posts: [["image", "image"]], held: [["image"], ["image"]] },
    "a video story": { ...STORY, posts: [["video"]] },
  },
  LINKEDIN: {
    "a text (really)": {},
    "an image": { posts: [["image"]], settings: { visibility: "CONNECTIONS" } },
    images: { posts: [["image", "image"]] },
    "a video": { posts: [["video"]] },
    "a video with a cover": { posts: [["video"]], cover: ["image"] },
    "a document": {
      posts: [["document"]],
      settings: { documentTitle: "Scores" },
      holds: { settings: { title: "Scores" } },
    },
  },
  BLUE_SKY: {
    "an image": { posts: [["image"]] },
    images: { posts: [["image", "image"]] },
    "a thread": { posts: [[], [], []] },
  },
  TELEGRAM: {
    "a <b>message</b> *as* it is": {},
    "a photo": { posts: [["image"]] },
    "an album": { posts: [["image", "image"]] },
    "several messages": { posts: [[], [], []] },
  },
  FACEBOOK: {
    "a text": { chat: 1 },
    "a photo": { posts: [["image"]] },
    photos: { posts: [["image", "image"]] },
    "a video": { posts: [["video"]] },
    "a reel": REEL,
    stories: { ...STORY, posts: [["image", "video"]], held: [["image"], ["video"]] },
  },
  PINTEREST: {
    "an image": { posts: [["image"]] },
    images: { posts: [["image", "image"]], cover: ["image", "image"], holds: { settings: { coverIndex: 1 } } },
    "a video": { posts: [["video"]] },
    "a video with a cover": { posts: [["video"]], cover: ["image"] },
  },
};

/** The digests of the owner's files, by storage key. */
async function digestsOf(owner: string): Promise<{ [path: string]: string }> {
  const stored = await db.select().from(media).where(eq(media.ownerId, owner));
  const digests = stored.map(async (item) => {
    const bytes = await new Response(await openMedia(item)).arrayBuffer();
    return [item.key, createHash("sha256").update(Buffer.from(bytes)).digest("hex")];
  });
  return Object.fromEntries(await Promise.all(digests));
}

describe("every format goes out once, as it was given", () => {
  let author: Author;
  beforeAll(async () => {
    author = await newAuthor();
  });

  test.concurrent.each(everyNetwork)("%s", async (_, network) => {
    const { platform } = network;
    const { owner, client, pathsOf } = author;
    const since = Date.now();
    // Each on its own account, because TikTok limits the status queries of an account.
    const all = await Promise.all(
      Object.entries(FORMATS[platform]).map(async ([name, format]) => {
        const { id, person } = await connectAccount(owner, platform);
        const { text = name, posts = [[]], cover, chat = 0 } = format;
        const chats = network.destinations ? await chatsOf(client, id, platform) : [];
        const chatId = chats[chat]?.id;
        const publication = {
          socialMediaAccountId: id,
          platformSettings: { type: network.settingsTypes[0], ...format.settings },
          posts: posts.map((files, at) => ({
            content: at === 0 ? text : `${text} ${at}`,
            attachmentPaths: pathsOf(files),
            thumbnailPath: cover && pathsOf(cover).at(-1),
            chatId,
          })),
        };
        return { name, format, person, chatId, publication };
      }),
    );
    const made = await schedule(
      client,
      all.map(({ publication }) => publication),
    );
    const seen = await settled(client, made.id);
    expect(seen.overallStatus, JSON.stringify(seen)).toBe("COMPLETED");
    const digests = await digestsOf(owner);
    for (const [at, { name, format, person, chatId, publication }] of all.entries()) {
      const held = await postsOn(platforms[platform], person);
      const texts = publication.posts.map(({ content }) => content);
      const files = format.held ?? format.posts ?? [[]];
      const type = { image: "image/jpeg", video: "video/mp4", document: "application/pdf" };
      // X adds the address of a video to the text.
      expect([name, held.map((post) => post.text.split(" https")[0])]).toEqual([
        name,
        format.held ? files.map(() => "") : texts,
      ]);
      expect(held.map(({ media: shown }) => shown.map((file) => file.type))).toEqual(
        files.map((kinds) => kinds.map((kind) => type[kind])),
      );
      expect(held.flatMap(({ media: shown }) => shown.map(({ sha256 }) => sha256))).toEqual(
        publication.posts.flatMap(({ attachmentPaths }) => attachmentPaths.map((key) => digests[key])),
      );
      expect(held.map((post) => post.chatId)).toEqual(held.map(() => chatId));
      if (format.holds) expect(held[0]).toMatchObject(format.holds);
      // Messages on Telegram follow each other. Everywhere else, the posts of a thread are replies.
      if (platform !== "TELEGRAM" && !format.held) {
        expect(held.map(({ replyTo }) => replyTo)).toEqual(held.map((_, n) => held[n - 1]?.id));
      }
      const published = seen.publications[at]?.posts ?? [];
      expect(published.map(({ networkPostId, permalink }) => [networkPostId, permalink])).toEqual(
        format.isPrivate
          ? [[expect.stringMatching(/^v_pub_file/), undefined]]
          : held.slice(0, texts.length).map(({ id, permalink }) => [id, permalink]),
      );
      for (const { status, publishedTime = "" } of published) {
        expect(status).toBe("PUBLISHED");
        expect(Date.parse(publishedTime)).toBeGreaterThanOrEqual(since);
        expect(Date.parse(publishedTime)).toBeLessThanOrEqual(Date.now());
      }
      const statuses = await statusesOf(platform, person);
      expect([name, statuses]).toEqual([name, held.map(() => expect.toBeOneOf([200, 201]))]);
    }
  });
});

/** Settings and files in place of the plainest ones. */
type Given = { files?: (owner: string) => Promise<string[]>; settings?: object };

const photo: Given = { files: async (owner) => [await picture(owner)] };
const video: Given = { files: async (owner) => [await clip(owner)] };
/** Facebook takes reels of at least three seconds. */
const reel: Given = {
  files: async (owner) => [await clip(owner, { seconds: 4 })],
  settings: { publicationType: "REELS" },
};

/** The plainest publication of a network, whose next calls of an operation meet the given fault. */
async function meeting(
  platform: Platform,
  strike: { fault: string; operation?: string; times?: number; afterSeconds?: number },
  { files, settings, isThread = false }: Given & { isThread?: boolean } = {},
) {
  const content = `after ${strike.fault}`;
  const { publication, ...of } = await plainPublication(networkOf(platform), content, files);
  const posts = isThread ? [...publication.posts, { ...publication.posts[0], content: "the next" }] : publication.posts;
  const platformSettings = { ...publication.platformSettings, ...settings };
  await fault({ network: platforms[platform], operation: "publish", account: of.person, ...strike });
  const since = Date.now();
  const made = await schedule(of.client, [{ ...publication, platformSettings, posts }]);
  return {
    ...of,
    content,
    since,
    id: made.id,
    publicationId: made.publications[0]?.id ?? 0,
    settled: (timeout?: number) => settled(of.client, made.id, timeout),
    held: () => postsOn(platforms[platform], of.person),
    statuses: (operation?: string) => statusesOf(platform, of.person, operation),
  };
}

/**
 * `statuses` are those of the final calls that the network attributes to the account. A call that was cut off, or answered with
 * an error before the token was read, is not attributed. `isLong`: only in the long run, because another line has the same fault with
 * the same look-up, or lost-answers.test.ts has.
 */
type Lost = { platform: Platform; fault: string; statuses?: number[]; given?: Given; isLong?: true };

describe("a final call whose outcome is unknown: the post goes out once and is PUBLISHED", () => {
  const carousel: Given = { files: async (owner) => [await picture(owner), await picture(owner)] };
  const rows: Lost[] = [
    { platform: "INSTAGRAM", fault: "drop_response", isLong: true },
    { platform: "INSTAGRAM", fault: "http_500" },
    { platform: "THREADS", fault: "drop_response", isLong: true },
    { platform: "THREADS", fault: "http_500" },
    { platform: "YOUTUBE", fault: "drop_response" },
    { platform: "YOUTUBE", fault: "http_500", isLong: true },
    // The final call of a video is its last chunk.
    { platform: "TIKTOK", fault: "drop_response", given: video, isLong: true },
    { platform: "TIKTOK", fault: "http_500", given: video },
    { platform: "TIKTOK", fault: "drop_response", given: photo, statuses: [0] },
    { platform: "BLUE_SKY", fault: "drop_response", isLong: true },
    { platform: "BLUE_SKY", fault: "http_500" },
    { platform: "FACEBOOK", fault: "drop_response", isLong: true },
    { platform: "FACEBOOK", fault: "http_500" },
    { platform: "FACEBOOK", fault: "http_500", given: reel },
    // LinkedIn rejects a repeat of the same post with 422, so it is asked by sending the post again.
    { platform: "LINKEDIN", fault: "drop_response", statuses: [0, 422] },
    { platform: "LINKEDIN", fault: "cut_body", statuses: [0, 422], isLong: true },
    { platform: "LINKEDIN", fault: "refuse", statuses: [201] },
    { platform: "LINKEDIN", fault: "http_500", statuses: [201], isLong: true },
    { platform: "PINTEREST", fault: "drop_response", statuses: [0], isLong: true },
    { platform: "PINTEREST", fault: "drop_response", given: carousel, statuses: [0] },
    { platform: "PINTEREST", fault: "cut_body", statuses: [0], isLong: true },
    { platform: "PINTEREST", fault: "http_500", statuses: [201] },
    { platform: "X_TWITTER", fault: "drop_response", statuses: [0] },
    { platform: "X_TWITTER", fault: "cut_body", statuses: [0], isLong: true },
    { platform: "X_TWITTER", fault: "http_500", statuses: [201], isLong: true },
    { platform: "X_TWITTER", fault: "http_502_html", statuses: [201] },
  ];
  test.concurrent.each(byNetwork(casesOf(rows, ({ isLong }) => !isLong)))(
    "%s",
    { timeout: 120_000 },
    async (_, ofNetwork) => {
      for (const { platform, fault: name, statuses, given } of ofNetwork) {
        const one = await meeting(platform, { fault: name }, given);
        const seen = await one.settled();
        const [post, ...others] = await one.held();
        expect([name, post?.text, others]).toEqual([name, one.content, []]);
        expect(seen).toMatchObject({
          overallStatus: "COMPLETED",
          publications: [{ posts: [{ networkPostId: post?.id, permalink: post?.permalink }] }],
        });
        if (statuses) expect([name, await one.statuses()]).toEqual([name, statuses]);
        // A second upload session would be a second video.
        if (platform === "YOUTUBE") expect(await one.statuses("prepare")).toEqual([200]);
      }
    },
  );
});

describe("a rate limit on the final call", () => {
  const rows: {
    platform: Platform;
    afterSeconds?: number;
    leastMs?: number;
    given?: Given;
    statuses?: number[];
    isLong?: true;
  }[] = [
    { platform: "THREADS" }, // it answers 400
    { platform: "YOUTUBE", isLong: true },
    { platform: "TIKTOK", given: video, isLong: true },
    { platform: "FACEBOOK", afterSeconds: 0 }, // it answers 403 without a time to wait
    { platform: "BLUE_SKY", afterSeconds: 2, statuses: [200] },
    { platform: "LINKEDIN", afterSeconds: 1, isLong: true },
    { platform: "TELEGRAM", afterSeconds: 2, leastMs: 1_900 },
    { platform: "X_TWITTER", afterSeconds: 2, leastMs: 1_000, isLong: true },
  ];
  // How a network says when to try again is tested with each adapter, and the wait is the same for all of them.
  test.concurrent.each(casesOf(rows, ({ isLong }) => !isLong))(
    "$platform: waits, counts no failed attempt and publishes once",
    async (row) => {
      const one = await meeting(row.platform, { fault: "rate_limit", afterSeconds: row.afterSeconds }, row.given);
      expect((await one.settled()).overallStatus).toBe("COMPLETED");
      expect(await attemptsOf(one.publicationId)).toBe(0);
      const [post, ...others] = await one.held();
      expect([post?.text, others]).toEqual([one.content, []]);
      expect(Date.parse(post?.receivedTime ?? "") - one.since).toBeGreaterThanOrEqual(row.leastMs ?? 0);
      expect((await one.statuses()).filter((status) => status === 200 || status === 201)).toHaveLength(1);
      if (row.statuses) expect(await one.statuses()).toEqual(row.statuses);
    },
  );

  test.concurrent.each<Platform>(["INSTAGRAM", "PINTEREST"])(
    "%s: waits for at least a minute and counts no failed attempt",
    async (platform) => {
      const one = await meeting(platform, { fault: "rate_limit", afterSeconds: 2 });
      await vi.waitFor(async () => expect(await dueIn(one.publicationId)).toBeGreaterThan(50), { timeout: 45_000 });
      expect(await attemptsOf(one.publicationId)).toBe(0);
      expect((await read(one.client, one.id)).overallStatus).toBe("IN_PROGRESS");
      expect(await one.held()).toEqual([]);
      await forget(one.publicationId);
    },
  );
});

/** TikTok posts a photo, whose only call is the final one: a part of a video would have been sent before. */
describe("a permission that is revoked on the final call: FAILED, nothing is out, and the account must be reconnected", () => {
  const rows: { platform: Platform; isThread?: boolean }[] = [
    { platform: "YOUTUBE" },
    { platform: "TIKTOK" },
    { platform: "FACEBOOK" },
    { platform: "LINKEDIN" },
    { platform: "PINTEREST" },
    { platform: "INSTAGRAM" },
    { platform: "THREADS", isThread: true },
    { platform: "BLUE_SKY", isThread: true },
    { platform: "X_TWITTER", isThread: true },
  ];
  // network-faults.test.ts has the answer of each network; what follows from it is the same for all of them.
  const some: Platform[] = ["TIKTOK", "FACEBOOK", "X_TWITTER"];
  test.concurrent.each(casesOf(rows, ({ platform }) => some.includes(platform)))(
    "$platform",
    async ({ platform, isThread }) => {
      const one = await meeting(platform, { fault: "revoke_token" }, { isThread });
      const error = expect.stringContaining("Reconnect the account");
      const posts = [{ status: "FAILED", error }, ...(isThread ? [{ status: "PENDING" }] : [])];
      expect(await one.settled()).toMatchObject({
        overallStatus: "FAILED",
        publications: [{ status: "FAILED", posts }],
      });
      expect(await one.held()).toEqual([]);
      const [account] = await db.select().from(accounts).where(eq(accounts.id, one.account));
      expect(account?.state).toBe("RECONNECT_REQUIRED");
    },
  );
});

describe("a young token that the network refuses is refreshed once, the post goes out, and the account stays connected", () => {
  test.concurrent.each<Platform>(["X_TWITTER", "PINTEREST", "YOUTUBE"])("%s", async (platform) => {
    const { account, client, person, publication } = await plainPublication(networkOf(platform), "refused once");
    const [now] = await db.select().from(accounts).where(eq(accounts.id, account));
    if (!now) throw new Error("the account was not stored");
    const tokensSealed = sealTokens(now, { ...tokensOf(now), accessToken: "refused" });
    await db.update(accounts).set({ tokensSealed }).where(eq(accounts.id, account));
    const made = await schedule(client, [publication]);
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    expect(await callsOn(platforms[platform], person, "refresh")).toHaveLength(1);
    expect(await postsOn(platforms[platform], person)).toHaveLength(1);
    const [after] = await db.select().from(accounts).where(eq(accounts.id, account));
    expect(after?.state).toBe("ACTIVE");
  });
});

/** LinkedIn issues a refresh token only to some applications. */
async function connectedForRefresh(network: Network) {
  if (network.platform !== "LINKEDIN") return plainPublication(network, "fresh");
  await setSwitches("linkedin", { refreshTokens: true });
  const of = await plainPublication(network, "fresh");
  await setSwitches("linkedin", {});
  return of;
}

describe("a token that is about to end is refreshed once before two posts go out, and the new one is kept", () => {
  const rows: { platform: Platform; endsInMinutes: number; rounds?: number }[] = [
    { platform: "X_TWITTER", endsInMinutes: -1 },
    { platform: "LINKEDIN", endsInMinutes: -1 },
    { platform: "PINTEREST", endsInMinutes: -1 },
    { platform: "BLUE_SKY", endsInMinutes: -1 },
    { platform: "YOUTUBE", endsInMinutes: 4 },
    // Only once, because TikTok limits the status queries of an account.
    { platform: "TIKTOK", endsInMinutes: 29, rounds: 1 },
  ];
  // lib/networks/described.test.ts has each network's refresh; when it happens is the same for all of them.
  const some: Platform[] = ["X_TWITTER", "LINKEDIN", "TIKTOK"];
  test.concurrent.each(casesOf(rows, ({ platform }) => some.includes(platform)))(
    "$platform",
    async ({ platform, endsInMinutes, rounds = 2 }) => {
      const { account, client, person, publication } = await connectedForRefresh(networkOf(platform));
      const [post] = publication.posts;
      const saying = (content: string) => ({ ...publication, posts: [{ ...post, content }] });
      const texts: string[] = [];
      for (let time = 1; time <= rounds; time++) {
        texts.push(`${time}, one`, `${time}, two`);
        const tokensExpireAt = sql`now() + make_interval(mins => ${endsInMinutes})`;
        await db.update(accounts).set({ tokensExpireAt }).where(eq(accounts.id, account));
        const made = await schedule(client, texts.slice(-2).map(saying));
        expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
        expect(await callsOn(platforms[platform], person, "refresh")).toHaveLength(time);
      }
      expect((await postsOn(platforms[platform], person)).map(({ text }) => text).sort()).toEqual(texts);
    },
  );
});

describe("an image that the network would reject has a warning, and goes out as a JPEG", () => {
  test.concurrent.each<{ platform: Platform; width: number; height: number; settings?: object }>([
    { platform: "INSTAGRAM", width: 400, height: 400 }, // it takes no PNG
    { platform: "TIKTOK", width: 2000, height: 1500, settings: { hasUsageConfirmation: true } },
  ])("$platform", async ({ platform, width, height, settings }) => {
    const png = await sharp({ create: { width, height, channels: 4, background: "#2266aa80" } })
      .png()
      .toBuffer();
    const { client, person, publication } = await plainPublication(networkOf(platform), "a PNG", async () => []);
    const platformSettings = { ...publication.platformSettings, ...settings };
    const posts = [{ content: "a PNG", attachmentPaths: [await uploaded(client, png, "a.png")] }];
    const publications = [{ ...publication, platformSettings, posts }];
    const scheduledTime = new Date(Date.now() + 3_600_000).toISOString();
    expect(await readResponse(client.post("/v1/posts/validate", { scheduledTime, publications }))).toEqual([
      200,
      { valid: true, problems: [expect.objectContaining({ rule: "image.converted", severity: "warning" })] },
    ]);
    const seen = await settled(client, (await schedule(client, publications)).id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await postsOn(platforms[platform], person)).toMatchObject([
      { text: "a PNG", media: [{ type: "image/jpeg" }] },
    ]);
  });
});
