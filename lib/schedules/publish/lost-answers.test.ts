import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { db, schedules } from "../../db";
import { env } from "../../env";
import { allNetworks, type Network } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import { connect, fault, firstChat, postsOn, read, schedule } from "../../testing";
import { withApiServed } from "../../testing/served";
import { type Author, type FileKind, newAuthor } from "../testing/due";
import { claimPublication } from "./claim";
import { publish } from "./publish";

withApiServed();
const FAULTS = `${env.sandbox?.url}/_control/faults`;

/** A way to publish: the files, the settings, and the calls that cannot be undone. */
type Way = { files: FileKind[]; settings?: object; calls?: string[] };

/** One for each call with which a network publishes, and for each way in which its answer is looked up. */
const WAYS: { [P in Platform]: { [name: string]: Way } } = {
  X_TWITTER: { text: { files: [] }, video: { files: ["video"] } },
  YOUTUBE: { video: { files: ["video"], settings: { title: "Bells" } } },
  THREADS: { text: { files: [] }, image: { files: ["image"] }, carousel: { files: ["image", "video"] } },
  TIKTOK: {
    photos: { files: ["image", "image"], settings: { privacyLevel: "PUBLIC_TO_EVERYONE" } },
    video: { files: ["video"], settings: { privacyLevel: "PUBLIC_TO_EVERYONE" }, calls: ["prepare", "publish"] },
  },
  INSTAGRAM: {
    image: { files: ["image"] },
    carousel: { files: ["image", "image"] },
    reel: { files: ["video"], settings: { publicationType: "REELS" } },
    story: { files: ["image"], settings: { publicationType: "STORY" } },
  },
  LINKEDIN: { text: { files: [] }, images: { files: ["image", "image"] }, video: { files: ["video"] } },
  BLUE_SKY: { text: { files: [] }, images: { files: ["image", "image"] } },
  TELEGRAM: {
    message: { files: [] },
    photo: { files: ["image"] },
    video: { files: ["video"] },
    album: { files: ["image", "image"] },
  },
  FACEBOOK: {
    text: { files: [] },
    photo: { files: ["image"] },
    photos: { files: ["image", "image"] },
    video: { files: ["video"] },
    reel: { files: ["video"], settings: { publicationType: "REELS" } },
    "photo story": { files: ["image"], settings: { publicationType: "STORY" } },
    "video story": { files: ["video"], settings: { publicationType: "STORY" } },
  },
  PINTEREST: { image: { files: ["image"] }, carousel: { files: ["image", "image"] }, video: { files: ["video"] } },
};

/** A due post on its own account. */
async function due(network: Network, { owner, client, pathsOf }: Author, content: string, { files, settings }: Way) {
  const { id, person } = await connect(owner, network.platform);
  const attachmentPaths = pathsOf(files);
  const chatId = await firstChat(client, id, network);
  const platformSettings = { type: network.settingsTypes[0], ...settings };
  const on = { socialMediaAccountId: id, platformSettings, posts: [{ content, attachmentPaths, chatId }] };
  const made = await schedule(client, [on], new Date(Date.now() + 3_600_000));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  return { person, id: made.id, publicationId: made.publications[0]?.id ?? 0 };
}

/** The faults that no call of a person has hit yet. */
async function waiting(person: string): Promise<unknown[]> {
  const all: { account?: string }[] = await (await fetch(FAULTS)).json();
  return all.filter(({ account }) => account === person);
}

type Strike = { operation: string; fault: string; afterSeconds?: number };

/** Attempts and looks up the post until it ends. Returns its status and the number of posts on the network. */
async function outcome(network: Network, author: Author, content: string, way: Way, strike: Strike) {
  const one = await due(network, author, content, way);
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
  // Some networks fetch the files of a post afterwards, so a published post may appear a moment later.
  if (status === "PUBLISHED") await vi.waitFor(async () => expect(await live()).toBe(1), { timeout: 45_000 });
  return [status, await live()];
}

type Loss = Omit<Strike, "operation">;

/** What happens to the answer of a final call. Within a pair, the network has done the same. */
const LOSSES: [Loss, Loss][] = [
  [{ fault: "drop_response" }, { fault: "cut_body" }],
  [{ fault: "http_502_html" }, { fault: "late_response", afterSeconds: 2 }],
];

/** A network's first way gets every loss. Each other way gets one of each pair, in turns. */
const lossesOf = (index: number): Loss[] =>
  index === 0 ? LOSSES.flat() : LOSSES.map(([one, other]) => (index % 2 === 0 ? one : other));

/** All networks run in parallel. */
test.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "T3: on %s no answer that is lost at a final call doubles, loses or misreports a post",
  { timeout: 600_000 },
  async (_, network) => {
    const author = await newAuthor();
    const calls = Object.entries(WAYS[network.platform]).flatMap(([name, way]) =>
      (way.calls ?? ["publish"]).map((operation) => ({ name, way, operation })),
    );
    for (const [index, { name, way, operation }] of calls.entries()) {
      for (const loss of lossesOf(index)) {
        const text = `${name} ${operation} ${loss.fault}`;
        expect(rightOutcomes(network, loss), text).toContainEqual(
          await outcome(network, author, text, way, { operation, ...loss }),
        );
      }
    }
  },
);

/** The statuses and numbers of posts that are right after a loss. */
function rightOutcomes({ platform }: Network, { fault }: Loss): [status: string, posts: number][] {
  if (fault === "late_response") return [["PUBLISHED", 1]];
  if (fault !== "http_502_html") return [[platform === "TELEGRAM" ? "UNKNOWN" : "PUBLISHED", 1]]; // Telegram has no look-up
  return [
    ["PUBLISHED", 1],
    ["UNKNOWN", 0],
  ];
}
