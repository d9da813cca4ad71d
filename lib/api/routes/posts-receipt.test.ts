import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { storedDestinations } from "../../accounts";
import { accounts, db } from "../../db";
import { pausePublishing, resumePublishing } from "../../schedules";
import {
  as,
  type Client,
  connectAccount,
  newOwner,
  picture,
  postsOn,
  readResponse,
  schedule,
  settled,
  withWorker,
} from "../../testing";

withWorker();

let owner: string;
let client: Client;
let x: { id: number; person: string };

beforeAll(async () => {
  owner = await newOwner();
  client = as(owner);
  x = await connectAccount(owner, "X_TWITTER");
});

const onX = (...posts: object[]) => ({ socialMediaAccountId: x.id, platformSettings: { type: "TWITTER" }, posts });
const LATER = new Date(Date.now() + 3_600_000);
type Story = { outcome: string; message: string; nextAttemptTime?: string; answer?: object };
type Receipt = { overallStatus: string; publications: { status: string; story: Story[]; nextAttemptTime?: string }[] };
type Shown = { method: string; url: string; makesPublic: boolean; headers: { [name: string]: string }; body?: string };
type Preview = { publications: { posts: { requests: Shown[]; problem?: string }[] }[] };

const receiptOf = async (id: number) => (await readResponse(client.get(`/v1/posts/${id}/receipt`)))[1] as Receipt;
const previewOf = async (id: number) => (await readResponse(client.get(`/v1/posts/${id}/preview`)))[1] as Preview;

describe("200 with the receipt", () => {
  test("before the start: no attempts, and when it is due", async () => {
    const { id } = await schedule(client, [onX({ content: "later" })], LATER);
    const { publications } = await receiptOf(id);
    expect(publications).toMatchObject([{ status: "PENDING", story: [], platform: "X_TWITTER" }]);
    expect(Date.parse(publications[0]?.nextAttemptTime ?? "")).toBe(LATER.getTime());
  });

  test("says while publishing is paused, and why; so does GET /v1/me", async () => {
    const { id } = await schedule(client, [onX({ content: "paused" })], LATER);
    const saying = async () => [await receiptOf(id), (await readResponse(client.get("/v1/me")))[1]];
    const { since } = await pausePublishing();
    try {
      // A second pause gives the reason, or another one. Without a reason, it keeps the one that is there.
      for (const [given, shown] of [
        ["A network does not answer", "A network does not answer"],
        ["Network incident", "Network incident"],
        [undefined, "Network incident"],
      ]) {
        expect(await pausePublishing(given)).toMatchObject({ paused: true, since, reason: shown });
        const pause = { publishingPaused: true, publishingPausedReason: shown };
        expect(await saying()).toMatchObject([pause, pause]);
      }
    } finally {
      await resumePublishing();
    }
    for (const answer of await saying()) {
      expect(answer).not.toHaveProperty("publishingPaused");
      expect(answer).not.toHaveProperty("publishingPausedReason");
    }
  });

  test("after success: one attempt, and no next one", async () => {
    const { id } = await schedule(client, [onX({ content: "out" })]);
    await settled(client, id);
    const [publication] = (await receiptOf(id)).publications;
    expect(publication?.story).toMatchObject([{ outcome: "PUBLISHED", message: "The post is out", times: 1 }]);
    expect(publication).not.toHaveProperty("nextAttemptTime");
  });

  test("after a rejection: the network's answer with its status", async () => {
    const { id } = await schedule(client, [onX({ content: "twice" }, { content: "twice" })]);
    const seen = await settled(client, id);
    expect(seen.overallStatus).toBe("PARTIALLY_COMPLETED");
    expect(seen.publications[0]?.posts[1]?.error).toMatch(
      /already posted to this account. The post before it is live$/,
    );
    const [publication] = (await receiptOf(id)).publications;
    expect(publication?.story).toMatchObject([
      { outcome: "PUBLISHED" },
      { outcome: "FAILED", answer: { status: 403, message: expect.stringMatching(/duplicate/i) } },
    ]);
  });
});

describe("200 with the preview", () => {
  test("of a thread on X with an image: each request, the public ones marked, no secrets, and nothing sent", async () => {
    const image = await picture(owner);
    const posts = [{ content: "one", attachmentPaths: [image] }, { content: "two" }];
    const { id } = await schedule(client, [onX(...posts)], LATER);
    const preview = await previewOf(id);
    const [first, second] = preview.publications[0]?.posts ?? [];
    expect(first?.requests.map(({ method, url, makesPublic }) => [method, new URL(url).pathname, makesPublic])).toEqual(
      [
        ["POST", "/x/2/media/upload", false],
        ["POST", "/x/2/tweets", true],
      ],
    );
    expect(first?.requests[0]?.body).toMatch(/\{\S+, image, \d+ bytes\}/);
    expect(JSON.parse(first?.requests[1]?.body ?? "")).toEqual({ text: "one", media: { media_ids: ["{media id}"] } });
    expect(JSON.parse(second?.requests[0]?.body ?? "")).toEqual({
      text: "two",
      reply: { in_reply_to_tweet_id: "{id of the previous post}" },
    });
    expect(second?.requests[0]?.headers.authorization).toBe("Bearer ***");
    expect(await postsOn("x", x.person)).not.toContainEqual(expect.objectContaining({ text: "one" }));
  });

  test("of Instagram and Telegram: every request to the final one, with the bot's token masked", async () => {
    const [instagram, telegram] = [await connectAccount(owner, "INSTAGRAM"), await connectAccount(owner, "TELEGRAM")];
    const [chat] = (await storedDestinations([telegram.id])).get(telegram.id) ?? [];
    const image = await picture(owner);
    const on = (id: number, type: string, post: object) => ({
      socialMediaAccountId: id,
      platformSettings: { type },
      posts: [{ content: "hello", ...post }],
    });
    const { id } = await schedule(
      client,
      [
        on(instagram.id, "INSTAGRAM", { attachmentPaths: [image, image] }),
        on(telegram.id, "TELEGRAM", { chatId: chat?.id }),
      ],
      LATER,
    );
    const paths = (await previewOf(id)).publications.map(({ posts }) =>
      posts
        .flatMap(({ requests }) => requests)
        .filter(({ method }) => method === "POST")
        .map(({ url, makesPublic }) => [new URL(url).pathname, makesPublic]),
    );
    expect(paths[0]?.filter(([, makesPublic]) => makesPublic)).toEqual([
      [expect.stringMatching(/\/media_publish$/), true],
    ]);
    expect(paths[0]?.filter(([path]) => String(path).endsWith("/media"))).toHaveLength(3);
    expect(paths[1]?.map(([path]) => decodeURI(String(path)))).toEqual([
      "/telegram/bot***/getChat",
      "/telegram/bot***/getChatMember",
      "/telegram/bot***/sendMessage",
    ]);
  });

  test("of an account that must be reconnected: still shows the requests", async () => {
    const other = await connectAccount(owner, "X_TWITTER");
    await db.update(accounts).set({ state: "RECONNECT_REQUIRED" }).where(eq(accounts.id, other.id));
    const { id } = await schedule(
      client,
      [{ ...onX({ content: "dead token" }), socialMediaAccountId: other.id }],
      LATER,
    );
    expect((await previewOf(id)).publications[0]?.posts[0]?.requests).toHaveLength(1);
  });
});

describe.each(["receipt", "preview"])("%s", (what) => {
  test("401 without a token, 403 without the scope", async () => {
    const { id } = await schedule(client, [onX({ content: "mine" })], LATER);
    const stranger = as(owner, ["accounts.read"]);
    expect((await stranger.get(`/v1/posts/${id}/${what}`)).status).toBe(403);
    expect((await stranger.request(`/v1/posts/${id}/${what}`, { headers: { authorization: "" } })).status).toBe(401);
  });

  test("404 for someone else's schedule and a missing one", async () => {
    const { id } = await schedule(client, [onX({ content: "mine" })], LATER);
    const other = as(await newOwner());
    for (const absent of [id, 999_999_999]) {
      const says = { error: `Posting schedule not found: ${absent}` };
      expect(await readResponse(other.get(`/v1/posts/${absent}/${what}`))).toEqual([404, says]);
    }
  });
});
