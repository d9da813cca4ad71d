import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, schedules } from "../../db";
import { env } from "../../env";
import { allNetworks, type Network } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import { connectAccount, fault, postsOn, read, schedule } from "../../testing";
import { isLongRun } from "../../testing/breadth";
import { type Author, newAuthor, type PostFormat, publicationPartsOf } from "../../testing/formats";
import { setSwitches } from "../../testing/sandbox";
import { withApiServed } from "../../testing/served";
import { claimPublication } from "./claim";
import { publish } from "./publish";

withApiServed();
let author: Author;
beforeAll(async () => {
  author = await newAuthor();
  await setSwitches("x", { enterprise: true }); // X lets only such an app quote posts
});
afterAll(() => setSwitches("x", {}));

const FAULTS = `${env.sandbox?.url}/_control/faults`;

type Way = Omit<PostFormat, "name" | "platform"> & {
  /** The calls that cannot be undone, if there are others than `publish`. */
  calls?: string[];
  /** The network does not show such a post to us, so a lost answer cannot be looked up. */
  isHidden?: true;
};

const TO_ALL = { privacyLevel: "PUBLIC_TO_EVERYONE" };
const POLL = { pollOptions: ["Ding", "Dong"] };
const CAPTIONS = { captions: "1\n00:00:01,000 --> 00:00:02,000\nDing\n", captionsLanguage: "en" };
const PEOPLE = { collaborators: ["tower_keeper"], userTags: ["anna"], locationId: "7640348500" };
const BUTTON = { link: "https://example.com/bells", callToAction: "LEARN_MORE" };

/** One for each call with which a network publishes, and for each way in which its answer is looked up. */
const WAYS: { [P in Platform]: { [name: string]: Way } } = {
  X_TWITTER: {
    text: {},
    video: { files: ["video"] },
    poll: { settings: POLL },
    quote: { isQuote: true },
  },
  YOUTUBE: {
    video: { files: ["video"], settings: { title: "Bells" } },
    "video with captions": { files: ["video"], settings: { title: "Bells", ...CAPTIONS } },
    "video for a playlist": { files: ["video"], settings: { title: "Bells" }, hasPlaylist: true },
  },
  THREADS: {
    text: {},
    image: { files: ["image"] },
    carousel: { files: ["image", "video"] },
    poll: { settings: POLL },
    quote: { isQuote: true },
    "link attachment": { settings: { linkAttachment: "https://example.com/bells" } },
  },
  TIKTOK: {
    photos: { files: ["image", "image"], settings: TO_ALL },
    video: { files: ["video"], settings: TO_ALL, calls: ["prepare", "publish"] },
    "draft of photos": { files: ["image", "image"], settings: { ...TO_ALL, sendToDrafts: true }, isHidden: true },
    "draft of a video": {
      ...{ files: ["video"], settings: { ...TO_ALL, sendToDrafts: true }, calls: ["prepare", "publish"] },
    },
  },
  INSTAGRAM: {
    image: { files: ["image"] },
    carousel: { files: ["image", "image"] },
    reel: { files: ["video"], settings: { publicationType: "REELS" } },
    story: { files: ["image"], settings: { publicationType: "STORY" } },
    "image with people": { files: ["image"], settings: PEOPLE },
    "reel with people": { files: ["video"], settings: { ...PEOPLE, videoCoverTimestampMs: 1000 } },
  },
  LINKEDIN: {
    text: {},
    images: { files: ["image", "image"] },
    video: { files: ["video"] },
    document: { files: ["document"] },
    "text of a page": { isOfPage: true },
    "document of a page": { files: ["document"], isOfPage: true },
  },
  BLUE_SKY: {
    text: {},
    images: { files: ["image", "image"] },
    "text with a gate": { settings: { whoCanReply: ["FOLLOWERS"] } },
    quote: { isQuote: true },
  },
  TELEGRAM: {
    message: {},
    photo: { files: ["image"] },
    video: { files: ["video"] },
    album: { files: ["image", "image"] },
    "formatted message": { settings: { parseMode: "HTML" } },
  },
  FACEBOOK: {
    text: {},
    photo: { files: ["image"] },
    photos: { files: ["image", "image"] },
    video: { files: ["video"] },
    reel: { files: ["video"], settings: { publicationType: "REELS" } },
    "photo story": { files: ["image"], settings: { publicationType: "STORY" } },
    "video story": { files: ["video"], settings: { publicationType: "STORY" } },
    "link with a button": { settings: BUTTON },
    "video with a button": { files: ["video"], settings: BUTTON },
  },
  PINTEREST: { image: { files: ["image"] }, carousel: { files: ["image", "image"] }, video: { files: ["video"] } },
};

/** A due post on its own account. */
async function due({ platform }: Network, content: string, way: Way) {
  const { owner, client } = author;
  const account = await connectAccount(owner, platform);
  const { platformSettings, post } = await publicationPartsOf({ platform, ...way }, author, account);
  const on = { socialMediaAccountId: account.id, platformSettings, posts: [{ content, ...post }] };
  const made = await schedule(client, [on], new Date(Date.now() + 3_600_000));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  return { person: account.person, id: made.id, publicationId: made.publications[0]?.id ?? 0 };
}

/** The faults that no call of a person has hit yet. */
async function waiting(person: string): Promise<unknown[]> {
  const all: { account?: string }[] = await (await fetch(FAULTS)).json();
  return all.filter(({ account }) => account === person);
}

type Strike = { operation: string; fault: string; afterSeconds?: number };

/** Attempts and looks up the post until it ends. Returns its status and the number of posts on the network. */
async function outcome(network: Network, content: string, way: Way, strike: Strike) {
  const one = await due(network, content, way);
  await fault({ network: platforms[network.platform], account: one.person, ...strike });
  const status = await vi.waitFor(
    async () => {
      const claim = await claimPublication(one.publicationId, { id: randomUUID(), assertAlive() {} });
      if (!claim) throw new Error("it is not due yet");
      await publish(claim);
      const seen = await read(author.client, one.id);
      expect(["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"], JSON.stringify(seen)).toContain(seen.overallStatus);
      return seen.publications[0]?.status;
    },
    { timeout: 45_000, interval: 100 },
  );
  expect(await waiting(one.person), "the fault has struck").toEqual([]);
  const live = async () => (await postsOn(platforms[network.platform], one.person)).length;
  // Some networks fetch the files of a post afterwards, so it may appear a moment later, also if its outcome is unknown to us.
  const right = rightOutcomes(network, way, strike).find(([one]) => one === status)?.[1];
  if (right !== undefined) await vi.waitFor(async () => expect(await live()).toBe(right), { timeout: 45_000 });
  return [status, await live()];
}

type Loss = Omit<Strike, "operation">;

/** What happens to the answer of a final call. Within a pair, the network has done the same. */
const LOSSES: [Loss, Loss][] = [
  [{ fault: "drop_response" }, { fault: "cut_body" }],
  [{ fault: "http_502_html" }, { fault: "late_response", afterSeconds: 2 }],
];

/**
 * In the long run, a network's first call gets every loss, and each other call one of each pair, in turns. Otherwise, the first call
 * gets one of each pair, and each other call one loss, in turns.
 */
function lossesOf(index: number): Loss[] {
  if (isLongRun) return index === 0 ? LOSSES.flat() : LOSSES.map((pair) => pair[index % 2] as Loss);
  return index === 0 ? LOSSES.map(([one]) => one) : [LOSSES.flat()[index % 4] as Loss];
}

/** All networks run in parallel. */
test.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "T3: on %s no answer that is lost at a final call doubles, loses or misreports a post",
  { timeout: 600_000 },
  async (_, network) => {
    const calls = Object.entries(WAYS[network.platform]).flatMap(([name, way]) =>
      (way.calls ?? ["publish"]).map((operation) => ({ name, way, operation })),
    );
    for (const [index, { name, way, operation }] of calls.entries()) {
      for (const loss of lossesOf(index)) {
        const text = `${name} ${operation} ${loss.fault}`;
        expect(rightOutcomes(network, way, loss), text).toContainEqual(
          await outcome(network, text, way, { operation, ...loss }),
        );
      }
    }
  },
);

/** The statuses and numbers of posts that are right after a loss. */
function rightOutcomes({ platform }: Network, { isHidden }: Way, { fault }: Loss): [status: string, posts: number][] {
  if (fault === "late_response") return [["PUBLISHED", 1]];
  const isReadable = platform !== "TELEGRAM" && !isHidden; // Telegram has no look-up
  if (fault !== "http_502_html") return [[isReadable ? "PUBLISHED" : "UNKNOWN", 1]];
  return [
    ["PUBLISHED", 1],
    ["UNKNOWN", 0],
  ];
}
