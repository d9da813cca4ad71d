import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { accounts, db } from "../../db";
import { env } from "../../env";
import {
  as,
  callsOn,
  connect,
  fault,
  newOwner,
  picture,
  postsOn,
  schedule,
  settled,
  told,
  uploaded,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connect(owner, "YOUTUBE");
  const clip = await uploaded(client, mp4({ width: 1280, height: 720 }), "video.mp4");
  const on = (title: string, more: object = {}, given: object = {}) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "YOUTUBE", title, ...given },
    posts: [{ content: `about ${title}`, attachmentPaths: [clip], ...more }],
  });
  return { owner, account: id, client, person, on };
}

test("a video with a cover goes out once, as it was given", { timeout: 60_000 }, async () => {
  const { owner, client, person, on } = await owned();
  const thumbnailPath = await picture(owner, 1280, 720);
  const given = { privacyStatus: "UNLISTED", category: "COMEDY" };
  const seen = await settled(client, (await schedule(client, [on("bells", { thumbnailPath }, given)])).id);
  const [sent, ...others] = await postsOn("youtube", person);
  expect(others).toEqual([]);
  expect(sent).toMatchObject({
    text: "about bells",
    media: [{ type: "video/mp4" }],
    settings: { title: "bells", categoryId: "23", privacyStatus: "unlisted", thumbnail: expect.any(Object) },
  });
  expect(seen).toMatchObject({
    overallStatus: "COMPLETED",
    publications: [{ posts: [{ networkPostId: sent?.id, permalink: sent?.permalink }] }],
  });
});

test("a token that is about to end is refreshed once, and its refresh token stays", async () => {
  const { account, client, person, on } = await owned();
  const endingSoon = { tokensExpireAt: sql`now() + interval '4 minutes'` };
  for (let time = 1; time <= 2; time++) {
    await db.update(accounts).set(endingSoon).where(eq(accounts.id, account));
    const seen = await settled(client, (await schedule(client, [on(`time ${time}`)])).id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await callsOn("youtube", person, "refresh")).toHaveLength(time);
  }
});

test("a video that YouTube rejects: FAILED with the reason, and a retry starts over", async () => {
  const { client, person, on } = await owned();
  await fault({ network: "youtube", operation: "publish", fault: "processing_fails" });
  const made = await schedule(client, [on("unlucky")]);
  const seen = await settled(client, made.id);
  expect(seen.publications[0]?.posts[0]?.error).toBe("YouTube could not convert the video");
  expect((await client.post(`/v1/posts/${made.id}/retry`, {})).status).toBe(200);
  expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
  expect(await postsOn("youtube", person)).toHaveLength(1);
});

test("a cover that YouTube rejects is reported in the receipt, and the post is out", async () => {
  const { owner, client, person, on } = await owned();
  const body = JSON.stringify({ account: person, isVerified: false });
  const headers = { "content-type": "application/json" };
  await fetch(`${env.sandbox?.url}/_control/youtube/channel`, { method: "POST", headers, body });
  const made = await schedule(client, [on("plain", { thumbnailPath: await picture(owner) })]);
  expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
  const [, receipt] = await told(client.get(`/v1/posts/${made.id}/receipt`));
  expect(JSON.stringify(receipt)).toContain("The post is out. The cover was not set");
});

test("the preview shows the requests without sending them", async () => {
  const { client, person, on } = await owned();
  const made = await schedule(client, [on("later")], new Date(Date.now() + 3_600_000));
  const [status, preview] = await told(client.get(`/v1/posts/${made.id}/preview`));
  expect(status).toBe(200);
  const { requests } = (
    preview as { publications: { posts: { requests: { method: string; makesPublic: boolean }[] }[] }[] }
  ).publications[0]?.posts[0] ?? { requests: [] };
  expect(requests.map(({ method, makesPublic }) => [method, makesPublic])).toEqual([
    ["POST", false],
    ["PUT", true],
    ["GET", false],
  ]);
  expect(await postsOn("youtube", person)).toEqual([]);
});
