import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkSetup } from "../../../cli/doctor";
import { mp4 } from "../../../sandbox/testing/mp4";
import { withQuotaCounting } from "../../accounts";
import { db, networkQuota, schedules } from "../../db";
import { QUOTA_COUNT_LOCK } from "../../db/locks";
import { env } from "../../env";
import { log } from "../../log";
import {
  dailyLimits,
  dateIn,
  type NetworkSession,
  networkFormat,
  networkOf,
  networkSession,
  PlatformError,
  untilMidnight,
} from "../../networks";
import { memoryRun } from "../../networks/testing";
import {
  as,
  attemptsOf,
  callsOn,
  connectAccount,
  dueIn,
  forget,
  newOwner,
  picture,
  postsOn,
  read,
  readResponse,
  schedule,
  uploaded,
} from "../../testing";
import { whileTurnTaken } from "../../testing/held";
import { withSettings } from "../../testing/settings";
import { claimPublication } from "./claim";
import { publish } from "./publish";

const GRANTED = { uploads: 2, units: 200 };
const PACIFIC = "America/Los_Angeles";
const SAYS = "This service has used up its daily YouTube quota. It resets at midnight in California";
const youtube = networkOf("YOUTUBE");
const here = eq(networkQuota.platform, "YOUTUBE");
const warnings = vi.spyOn(log, "warn");

const known = { ...env.networks };
/** Only these tests count calls. */
const granted = { ...env.youtubeDaily };
withSettings({ timeFactor: 1 });
beforeAll(() => void Object.assign(env.youtubeDaily, GRANTED));
afterAll(() => void Object.assign(env.youtubeDaily, granted));
beforeEach(() => db.delete(networkQuota).where(here));
afterEach(() => {
  Object.assign(env.youtubeDaily, GRANTED);
  Object.assign(env.networks, known);
});

const rows = () => db.select().from(networkQuota).where(here);
const spent = async () =>
  Object.fromEntries(
    (await rows()).filter(({ reservedFor }) => reservedFor === "").map(({ bucket, units }) => [bucket, units]),
  );
const kept = async () => (await rows()).filter(({ reservedFor, units }) => reservedFor !== "" && units > 0);

/** Records this many units as used today. */
async function spend(bucket: "uploads" | "units", units: number): Promise<void> {
  const { platform, day, bucket: of, reservedFor } = networkQuota;
  await db
    .insert(networkQuota)
    .values({ platform: "YOUTUBE", day: dateIn(PACIFIC), bucket, reservedFor: "", units })
    .onConflictDoUpdate({ target: [platform, day, of, reservedFor], set: { units } });
}

/** Moves everything that was counted to yesterday. */
const nextDay = () => db.update(networkQuota).set({ day: "2000-01-01" }).where(here);

/** A channel with a video, and publications that become due when `due` is called. Only this test works on them. */
async function channel() {
  const owner = await newOwner();
  const client = as(owner);
  const { id: socialMediaAccountId, person } = await connectAccount(owner, "YOUTUBE");
  const attachmentPaths = [await uploaded(client, mp4({ width: 1280, height: 720 }), "video.mp4")];
  async function due(title: string, more: object = {}) {
    const platformSettings = { type: "YOUTUBE", title };
    const on = { socialMediaAccountId, platformSettings, posts: [{ content: "", attachmentPaths, ...more }] };
    const { id, publications } = await schedule(client, [on], new Date(Date.now() + 3_600_000));
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
    return { id, publicationId: publications[0]?.id ?? 0 };
  }
  const opened = async () => (await callsOn("youtube", person, "prepare")).length;
  return { owner, client, person, due, opened };
}

/** Publishes until the publication ends or waits. Returns the seconds until it is due again, and removes its due time. */
async function work(publicationId: number): Promise<number | undefined> {
  const claim = await claimPublication(publicationId, { id: randomUUID(), assertAlive() {} });
  if (claim) await publish(claim);
  const seconds = await dueIn(publicationId);
  await forget(publicationId);
  return seconds;
}

type Due = { id: number; publicationId: number };

const completed = ({ client }: Pick<Awaited<ReturnType<typeof channel>>, "client">, { id, publicationId }: Due) =>
  vi.waitFor(
    async () => {
      await work(publicationId);
      expect((await read(client, id)).overallStatus).toBe("COMPLETED");
    },
    { timeout: 45_000, interval: 300 },
  );

/** A session whose calls are all answered by `fetch`. */
function session(fetch: NetworkSession["fetch"], holder?: string): NetworkSession {
  const account = { accountId: "UC1", username: "bells", tokens: { accessToken: "a" } };
  return withQuotaCounting({ ...networkSession(youtube, account), fetch }, youtube, holder);
}
const answering = async () => new Response("{}");

const refusalOf = (call: Promise<unknown>): Promise<PlatformError> =>
  call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof PlatformError ? error : Promise.reject(error)),
  );

describe("the count", () => {
  test("adds the price of each call before it is sent, whatever its outcome", async () => {
    const seen: unknown[] = [];
    const { fetch } = session(async () => {
      seen.push(await spent());
      throw new PlatformError("unknown", "no answer");
    });
    const send = (path: string, method?: string) => refusalOf(fetch(path, { method }));
    await send("/youtube/v3/channels?part=id");
    await send("/upload/youtube/v3/thumbnails/set?videoId=v", "POST");
    await send("/upload/youtube/v3/videos?uploadType=resumable", "POST");
    await send("https://www.googleapis.com/upload/youtube/v3/videos?upload_id=u", "PUT");
    await send("/youtube/v3/playlistItems?playlistId=p");
    const after = { uploads: 1, units: 51 };
    expect(seen).toEqual([{ units: 1 }, { units: 51 }, after, after, { uploads: 1, units: 52 }]);
  });

  test("a call beyond the quota is not sent; the day before does not count", async () => {
    const sent: string[] = [];
    const { fetch } = session(async (path) => {
      sent.push(path);
      return new Response("{}");
    });
    await spend("units", 151);
    expect((await refusalOf(fetch("/upload/youtube/v3/thumbnails/set", { method: "POST" }))).message).toBe(SAYS);
    await nextDay();
    await fetch("/upload/youtube/v3/thumbnails/set", { method: "POST" });
    expect(sent).toHaveLength(1);
    expect((await rows()).map(({ day, units }) => [day, units])).toEqual([[dateIn(PACIFIC), 50]]);
  });

  test("units reserved for a post are used first, are not available to others, and are returned", async () => {
    const [one, other] = [session(answering, "one"), session(answering, "other")];
    await one.quota.reserve({ uploads: 1, units: 70 });
    await one.quota.reserve({ uploads: 1, units: 70 });
    const refusal = await refusalOf(other.quota.reserve({ uploads: 1, units: 140 }));
    expect(refusal).toMatchObject({
      kind: "later",
      retryAfterSeconds: 300,
      message: expect.stringContaining("reserved"),
    });
    await one.fetch("/upload/youtube/v3/thumbnails/set", { method: "POST" });
    expect([await spent(), (await kept()).map(({ bucket, units }) => [bucket, units]).sort()]).toEqual([
      { uploads: 0, units: 50 },
      [
        ["units", 20],
        ["uploads", 1],
      ],
    ]);
    await one.quota.release();
    await other.quota.reserve({ uploads: 1, units: 140 });
  });

  test("YouTube's own quota error closes the day, whatever was counted", async () => {
    const answer = { status: 403, code: "quotaExceeded" };
    const { fetch } = session(() => Promise.reject(new PlatformError("later", "no", { answer })));
    expect(await refusalOf(fetch("/upload/youtube/v3/videos", { method: "POST" }))).toMatchObject({ answer });
    expect(await spent()).toEqual({ uploads: 2 });
    expect((await refusalOf(session(answering, "next").quota.reserve({ uploads: 1 }))).message).toBe(SAYS);
    await session(answering).fetch("/youtube/v3/channels");
  });

  test("waiting posts start spread over five minutes", async () => {
    await spend("uploads", 2);
    const waits: number[] = [];
    for (let time = 0; time < 20; time++) {
      const { retryAfterSeconds = 0, isWaitStated } = await refusalOf(
        session(answering, "p").quota.reserve({ uploads: 1 }),
      );
      expect(isWaitStated).toBe(true);
      waits.push(retryAfterSeconds - untilMidnight(PACIFIC));
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...waits)).toBeLessThan(60 + 300 + 5);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(30);
  });

  test("a configured quota extension, and a simulated YouTube", () => {
    expect(dailyLimits(youtube)).toEqual(GRANTED);
    Object.assign(env.youtubeDaily, { uploads: 5000, units: undefined });
    expect(dailyLimits(youtube)).toEqual({ uploads: 5000 });
    env.networks.youtube = { mode: "real", clientId: "i", clientSecret: "s" };
    expect(dailyLimits(youtube)).toEqual({ uploads: 5000, units: 10_000 });
    Object.assign(env.youtubeDaily, { uploads: undefined });
    expect(dailyLimits(youtube)).toEqual({ uploads: 100, units: 10_000 });
    env.networks.youtube = { mode: "real", clientId: "i", clientSecret: "s", apiUrl: "http://localhost:3010/youtube" };
    expect(dailyLimits(youtube)).toEqual({});
  });
});

describe("a post", () => {
  test("waits for the next day without counting a failed attempt if the day's uploads are used up", async () => {
    const { client, person, due, opened } = await channel();
    await spend("uploads", 2);
    const one = await due("bells");
    const midnight = untilMidnight(PACIFIC);
    const seconds = await work(one.publicationId);
    expect(seconds).toBeGreaterThan(midnight);
    expect(seconds).toBeLessThan(midnight + 60 + 300 + 5);
    expect(await attemptsOf(one.publicationId)).toBe(0);
    expect(await opened()).toBe(0);
    const [, receipt] = await readResponse(client.get(`/v1/posts/${one.id}/receipt`));
    expect(JSON.stringify(receipt)).toContain(SAYS);

    await nextDay();
    await completed({ client }, one);
    expect(await postsOn("youtube", person)).toHaveLength(1);
    expect([(await spent()).uploads, await kept(), await opened()]).toEqual([1, [], 1]);
  });

  test("starts only if the quota suffices for its cover, too", async () => {
    const made = await channel();
    const thumbnailPath = await picture(made.owner, 1280, 720);
    const [covered, plain] = [await made.due("covered", { thumbnailPath }), await made.due("plain")];
    await spend("units", 131);
    await work(covered.publicationId);
    expect([await made.opened(), await spent(), await kept()]).toEqual([0, { units: 131 }, []]);
    await completed(made, plain);
    expect(await made.opened()).toBe(1);
    await nextDay();
    await completed(made, covered);
    const sent = await postsOn("youtube", made.person);
    expect(sent.filter(({ settings }) => "thumbnail" in (settings ?? {}))).toHaveLength(1);
    expect((await spent()).units).toBeGreaterThanOrEqual(51);
  });

  test("uploads that start at the same time never exceed the quota", async () => {
    const { due, opened } = await channel();
    const all = [await due("1"), await due("2"), await due("3"), await due("4"), await due("5")];
    const uploads = all.map(
      ({ publicationId }) =>
        () =>
          work(publicationId),
    );
    await whileTurnTaken(QUOTA_COUNT_LOCK, uploads);
    expect([await opened(), (await spent()).uploads]).toEqual([2, 2]);
  });

  test("that YouTube rejects keeps nothing reserved, and its call is counted", async () => {
    const refusing = session(() => Promise.reject(new PlatformError("rejected", "no")), "refused");
    const settings = youtube.settings.parse({ title: "bells" });
    const video = {
      kind: "video",
      contentType: "video/mp4",
      sizeBytes: 9,
      filename: "v.mp4",
      durationSeconds: 5,
    } as const;
    const unread = () => Promise.reject(new Error("its bytes are not asked for"));
    const post = { content: "", settings, media: [{ ...video, open: unread, publicUrl: unread }] };
    const sent = networkFormat(youtube, settings, "video")?.publish(post, memoryRun(refusing));
    expect(await refusalOf(Promise.resolve(sent))).toMatchObject({ kind: "rejected" });
    expect([await spent(), await kept()]).toEqual([{ uploads: 1, units: 0 }, []]);
  });
});

describe("the operator", () => {
  test("sees it in the log once a day per bucket, and doctor shows the count and warns", async () => {
    await spend("uploads", 2);
    for (const holder of ["a", "b"]) await refusalOf(session(answering, holder).quota.reserve({ uploads: 1 }));
    const says = "the daily quota is used up, so calls wait for the next day";
    const line = { platform: "YOUTUBE", bucket: "uploads", day: dateIn(PACIFIC), perDay: 2 };
    const lines = warnings.mock.calls.map((call): unknown[] => [...call]);
    expect(lines.filter(([facts, said]) => said === says && JSON.stringify(facts).includes("uploads"))).toEqual([
      [line, says],
    ]);
    await spend("units", 159);
    const { quotas, problems } = await checkSetup();
    expect(quotas).toEqual([
      { platform: "YOUTUBE", bucket: "uploads", used: 2, perDay: 2 },
      { platform: "YOUTUBE", bucket: "units", used: 159, perDay: 200 },
    ]);
    expect(problems.filter(({ problem }) => problem.startsWith("YouTube:"))).toEqual([
      {
        severity: "warning",
        problem: "YouTube: 2 of 2 uploads for today are used; when all are used, posts wait for the next day",
        fix: "Request a higher quota from the network, and set YOUTUBE_DAILY_UPLOADS to the granted number",
      },
    ]);
  });
});
