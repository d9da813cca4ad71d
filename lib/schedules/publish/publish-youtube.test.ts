import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { env } from "../../env";
import { networkOf } from "../../networks";
import {
  as,
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
import { plainPublication } from "../testing/due";

withWorker();

test("a cover that YouTube rejects is reported in the receipt, and the post is out", async () => {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, "YOUTUBE");
  const clip = await uploaded(client, mp4({ width: 1280, height: 720 }), "video.mp4");
  const body = JSON.stringify({ account: person, isVerified: false });
  const headers = { "content-type": "application/json" };
  await fetch(`${env.sandbox?.url}/_control/youtube/channel`, { method: "POST", headers, body });
  const on = {
    socialMediaAccountId: id,
    platformSettings: { type: "YOUTUBE", title: "plain" },
    posts: [{ content: "about plain", attachmentPaths: [clip], thumbnailPath: await picture(owner) }],
  };
  const made = await schedule(client, [on]);
  expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
  const [, receipt] = await readResponse(client.get(`/v1/posts/${made.id}/receipt`));
  expect(JSON.stringify(receipt)).toContain("The post is out. The cover was not set");
});

test("a video that YouTube rejects: FAILED with the reason, and a retry starts over", async () => {
  const { publication, client, person } = await plainPublication(networkOf("YOUTUBE"), "unlucky");
  await fault({ network: "youtube", operation: "publish", account: person, fault: "processing_fails" });
  const made = await schedule(client, [publication]);
  const seen = await settled(client, made.id);
  expect(seen.publications[0]?.posts[0]?.error).toBe("YouTube could not convert the video");
  expect((await client.post(`/v1/posts/${made.id}/retry`, {})).status).toBe(200);
  expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
  expect(await postsOn("youtube", person)).toHaveLength(1);
});
