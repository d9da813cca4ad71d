import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import {
  as,
  connectAccount,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";

withWorker();

test("a draft in the creator's inbox: the receipt says that it is handed over, but not out", async () => {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, "TIKTOK");
  const on = {
    socialMediaAccountId: id,
    platformSettings: { type: "TIK_TOK", privacyLevel: "SELF_ONLY", sendToDrafts: true },
    posts: [{ content: "", attachmentPaths: [await uploaded(client, mp4({}), "video.mp4")] }],
  };
  const made = await schedule(client, [on]);
  const seen = await settled(client, made.id);
  expect(seen).toMatchObject({
    overallStatus: "COMPLETED",
    publications: [{ posts: [{ status: "PUBLISHED", networkPostId: expect.stringMatching(/^v_inbox_/) }] }],
  });
  expect(seen.publications[0]?.posts[0]).not.toHaveProperty("permalink");
  const [, receipt] = await readResponse(client.get(`/v1/posts/${made.id}/receipt`));
  expect(JSON.stringify(receipt)).toContain(
    "The post is handed over, but not out. TikTok has put it into the creator's inbox as a draft.",
  );
  expect(await postsOn("tiktok", person)).toMatchObject([{ settings: { is_draft: true } }]);
});
