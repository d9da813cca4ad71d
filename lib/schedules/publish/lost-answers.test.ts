import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { db, schedules } from "../../db";
import { env } from "../../env";
import { allNetworks, type Network } from "../../networks";
import { type Platform, platforms } from "../../platforms";
import { as, connect, fault, jpeg, newOwner, postsOn, read, schedule, told, uploaded } from "../../testing";
import { withApiServed } from "../../testing/served";
import { claimPublication } from "./claim";
import { publish } from "./publish";

/**
 * Uses its own database, sandbox and port, set before anything reads the settings: a fault hits the first call, and any worker
 * may claim a due publication.
 */
const own = await vi.hoisted(async () => {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const { openCluster } = await import("../../db/cluster");
  const { ownPort } = await import("../../testing/own-port");
  const { startSandbox } = await import("../../../sandbox/server");
  const dir = await mkdtemp(join(tmpdir(), "carillon-lost-"));
  const [cluster, sandbox, port] = await Promise.all([
    openCluster({ dataDir: dir, purpose: "service" }),
    startSandbox({ port: 0, dir: join(dir, "sandbox") }),
    ownPort(),
  ]);
  Object.assign(process.env, {
    DATA_DIR: dir,
    DATABASE_URL: cluster.url,
    SANDBOX_PORT: String(sandbox.port),
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
  });
  await (await import("../../db/migrate")).migrate(cluster.url);
  return {
    async end() {
      await sandbox.close();
      await cluster.release();
      await rm(dir, { recursive: true, force: true });
    },
  };
});
afterAll(() => own.end());
withApiServed();

type File = "image" | "video";
/** A way to publish: the files, the settings, and the calls that cannot be undone. */
type Way = { files: File[]; settings?: object; calls?: string[] };

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

/** LinkedIn rejects videos below 75 KB. Players ignore the padding box. */
function padded(bytes: Uint8Array): Uint8Array {
  const free = Buffer.alloc(80_000);
  free.writeUInt32BE(free.length, 0);
  free.write("free", 4, "latin1");
  return Buffer.concat([bytes, free]);
}

const makeFile: { [F in File]: () => Promise<[Uint8Array, string]> } = {
  image: async () => [await jpeg(1080, 1080), "picture.jpg"],
  video: async () => [padded(mp4({ seconds: 5 })), "video.mp4"],
};

/** A due post on its own account. */
async function due(network: Network, content: string, { files, settings }: Way) {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connect(owner, network.platform);
  const attachmentPaths: string[] = [];
  for (const file of files) attachmentPaths.push(await uploaded(client, ...(await makeFile[file]())));
  const chats =
    network.destinations && (await told(client.get(`/v1/accounts/${id}/chats?platform=${network.platform}`)));
  const chatId = (chats?.[1] as { id: string }[] | undefined)?.[0]?.id;
  const platformSettings = { type: network.settingsTypes[0], ...settings };
  const on = { socialMediaAccountId: id, platformSettings, posts: [{ content, attachmentPaths, chatId }] };
  const made = await schedule(client, [on], new Date(Date.now() + 3_600_000));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  return { client, person, id: made.id, publicationId: made.publications[0]?.id ?? 0 };
}

/** The faults that no call has hit yet. */
async function waiting({ platform }: Network): Promise<unknown[]> {
  const all: { network: string }[] = await (await fetch(`${env.sandbox?.url}/_control/faults`)).json();
  return all.filter(({ network }) => network === platforms[platform]);
}

type Strike = { operation: string; fault: string; afterSeconds?: number };

/** Attempts and looks up the post until it ends. Returns its status and the number of posts on the network. */
async function outcome(network: Network, content: string, way: Way, strike: Strike) {
  const one = await due(network, content, way);
  await fault({ network: platforms[network.platform], ...strike });
  const status = await vi.waitFor(
    async () => {
      const claim = await claimPublication(one.publicationId, { id: randomUUID(), assertAlive() {} });
      if (claim) await publish(claim);
      const seen = await read(one.client, one.id);
      expect(["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"], JSON.stringify(seen)).toContain(seen.overallStatus);
      return seen.publications[0]?.status;
    },
    { timeout: 40_000, interval: 100 },
  );
  expect(await waiting(network), "the fault has struck").toEqual([]);
  const live = async () => (await postsOn(platforms[network.platform], one.person)).length;
  // Some networks fetch the files of a post afterwards, so a published post may appear a moment later.
  if (status === "PUBLISHED") await vi.waitFor(async () => expect(await live()).toBe(1), { timeout: 45_000 });
  return [status, await live()];
}

/** The calls of one network run one after the other, and all networks run in parallel: a fault hits the next call of its kind. */
test.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "T3: on %s no answer that is lost at a final call doubles, loses or misreports a post",
  { timeout: 240_000 },
  async (_, network) => {
    // Only Telegram offers no way to look up a post.
    const found = network.platform === "TELEGRAM" ? "UNKNOWN" : "PUBLISHED";
    for (const [name, way] of Object.entries(WAYS[network.platform])) {
      for (const operation of way.calls ?? ["publish"]) {
        const say = (lost: string) => `${name} ${operation} ${lost}`;
        for (const lost of ["drop_response", "cut_body"]) {
          const told = await outcome(network, say(lost), way, { operation, fault: lost });
          expect([say(lost), ...told]).toEqual([say(lost), found, 1]);
        }
        const gateway = "http_502_html";
        const [status, live] = await outcome(network, say(gateway), way, { operation, fault: gateway });
        expect([
          [say(gateway), "PUBLISHED", 1],
          [say(gateway), "UNKNOWN", 0],
        ]).toContainEqual([say(gateway), status, live]);
        const late = { operation, fault: "late_response", afterSeconds: 2 };
        expect([say("late"), ...(await outcome(network, say("late"), way, late))]).toEqual([
          say("late"),
          "PUBLISHED",
          1,
        ]);
      }
    }
  },
);
