import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { api } from "../../api";
import { connectWithoutBrowser } from "../../connect";
import { accounts, db, posts } from "../../db";
import { env } from "../../env";
import {
  as,
  callsOn,
  connectAccount,
  fault,
  newOwner,
  picture,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";
import { withApiServed } from "../../testing/served";

withWorker();

withApiServed(); // TikTok fetches files itself, from the product's own address

async function owned() {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, "TIKTOK");
  const on = (content: string, attachmentPaths: string[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TIK_TOK", privacyLevel: "PUBLIC_TO_EVERYONE", hasUsageConfirmation: true },
    posts: [{ content, attachmentPaths }],
  });
  return { owner, account: id, client, person, on };
}

async function video(owner: string, shape: Parameters<typeof mp4>[0] = {}): Promise<string> {
  return uploaded(as(owner), mp4(shape), "video.mp4");
}

const tell = (action: string, body: object) =>
  fetch(`${env.sandbox?.url}/_control/tiktok/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a privacy level that the creator may not use fails with the reason", async () => {
  const { owner, client, person, on } = await owned();
  await tell("creator", { account: person, isPrivate: true });
  const seen = await settled(client, (await schedule(client, [on("too public", [await picture(owner)])])).id);
  expect(seen.publications[0]?.posts[0]?.error).toContain(
    "privacyLevel PUBLIC_TO_EVERYONE is not available to this creator",
  );
  expect(await callsOn("tiktok", person, "publish")).toEqual([]);
});

describe("notifications from TikTok", () => {
  const stateOf = async (id: number) => (await db.select().from(accounts).where(eq(accounts.id, id)))[0];
  /** Sends a signed notification as TikTok does. Returns the status. */
  async function notify(
    event: string,
    account: Awaited<ReturnType<typeof stateOf>>,
    content: string,
    seconds = Date.now() / 1000,
  ) {
    const body = JSON.stringify({
      client_key: "sandbox-tiktok",
      event,
      create_time: Math.floor(seconds),
      user_openid: account?.networkAccountId,
      content,
    });
    const hash = createHmac("sha256", "sandbox-tiktok-secret").update(`1.${body}`).digest("hex");
    const headers = { "tiktok-signature": `t=1,s=${hash}` };
    return (await api.request("/callbacks/tiktok", { method: "POST", headers, body })).status;
  }

  test("a revoked permission: the account must be reconnected at once", async () => {
    const { account, person } = await owned();
    await tell("app", { webhookUrl: `${env.appUrl}/callbacks/tiktok` });
    await tell("remove", { account: person, reason: 1 });
    await expect
      .poll(() => stateOf(account), { timeout: 45_000 })
      .toMatchObject({ state: "RECONNECT_REQUIRED", stateReason: expect.stringContaining("in the TikTok app") });
  });

  test("the id of a post that was published without one is stored; a repeated notification changes nothing", async () => {
    const { owner, account, client, person, on } = await owned();
    const seen = await settled(client, (await schedule(client, [on("named", [await video(owner)])])).id);
    const [sent] = await postsOn("tiktok", person);
    const row = eq(posts.id, seen.publications[0]?.posts[0]?.id ?? 0);
    await db.update(posts).set({ networkPostId: "v_pub_file~v2-1.1", permalink: null }).where(row);
    const content = `{"publish_id":"v_pub_file~v2-1.1","post_id":${sent?.id}}`;
    for (let time = 1; time <= 2; time++) {
      expect(await notify("post.publish.publicly_available", await stateOf(account), content)).toBe(200);
      const [post] = await db.select().from(posts).where(row);
      expect(post).toMatchObject({ networkPostId: sent?.id, permalink: sent?.permalink });
    }
  });

  test("a revocation from before the account was reconnected is ignored", async () => {
    const { account } = await owned();
    const removed = (seconds: number) =>
      stateOf(account).then((row) => notify("authorization.removed", row, "{}", seconds));
    expect(await removed(Date.now() / 1000 - 60)).toBe(200);
    expect(await stateOf(account)).toMatchObject({ state: "ACTIVE" });
    expect(await removed(Date.now() / 1000)).toBe(200);
    expect(await stateOf(account)).toMatchObject({ state: "RECONNECT_REQUIRED" });
  });

  test("an unsigned notification is rejected, and so is one to an unknown address", async () => {
    const body = JSON.stringify({ event: "authorization.removed" });
    const send = (name: string) => api.request(`/callbacks/${name}`, { method: "POST", body });
    expect((await send("tiktok")).status).toBe(400);
    expect((await send("x")).status).toBe(404);
    expect((await send("nobody")).status).toBe(404);
    expect((await api.request("/callbacks/tiktok")).status).toBe(405);
  });
});

test.concurrent("retrying a video that TikTok could not process starts over; nothing is recorded as published before", {
  timeout: 160_000,
}, async () => {
  const { owner, client, person, on } = await owned();
  const clip = await video(owner);
  // Three attempts may use up the status queries of a minute, and then the post waits for the next minute.
  await fault({ network: "tiktok", operation: "prepare", account: person, fault: "processing_fails", times: 3 });
  const made = await schedule(client, [on("at last", [clip])]);
  const seen = await settled(client, made.id, 75_000);
  expect(seen.publications[0]?.posts[0]?.error).toBe("TikTok could not process the post right now");
  expect(await postsOn("tiktok", person)).toEqual([]);
  expect((await client.post(`/v1/posts/${made.id}/retry`, {})).status).toBe(200);
  expect(await settled(client, made.id, 75_000)).toMatchObject({ overallStatus: "COMPLETED" });
  expect(await postsOn("tiktok", person)).toHaveLength(1);
});

test.concurrent("a permission that ends while TikTok decides: connected again and retried, the video goes out once", {
  timeout: 45_000,
}, async () => {
  const { owner, client, person, on } = await owned();
  const clip = await video(owner);
  await fault({ network: "tiktok", operation: "status", account: person, fault: "revoke_token" });
  const made = await schedule(client, [on("decided later", [clip])]);
  const seen = await settled(client, made.id);
  expect(seen.publications[0]?.posts[0]).toMatchObject({
    status: "UNKNOWN",
    error: expect.stringContaining("the post may be live"),
  });
  await connectWithoutBrowser(owner, "TIKTOK", person);
  expect((await client.post(`/v1/posts/${made.id}/retry`, {})).status).toBe(200);
  expect(await settled(client, made.id)).toMatchObject({ overallStatus: "COMPLETED" });
  expect(await postsOn("tiktok", person)).toHaveLength(1);
});

test.concurrent("the preview shows the requests for a video and a photo without sending them", async () => {
  const { owner, client, person, on } = await owned();
  const later = new Date(Date.now() + 3_600_000);
  const made = await schedule(client, [on("video", [await video(owner)]), on("photo", [await picture(owner)])], later);
  const [status, preview] = await readResponse(client.get(`/v1/posts/${made.id}/preview`));
  expect(status).toBe(200);
  const paths = (preview as Preview).publications.map(({ posts: [post] }) =>
    post?.requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^\/tiktok/, "")}`),
  );
  const end = ["POST /v2/post/publish/status/fetch/", "POST /v2/video/query/"];
  const creator = "POST /v2/post/publish/creator_info/query/";
  expect(paths).toEqual([
    [creator, "POST /v2/post/publish/video/init/", "PUT /video/", ...end],
    [creator, "POST /v2/video/list/", "POST /v2/post/publish/content/init/", ...end],
  ]);
  expect(await callsOn("tiktok", person, "prepare")).toEqual([]);
});

type Preview = { publications: { posts: { requests: { method: string; url: string }[] }[] }[] };
