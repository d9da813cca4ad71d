import { expect, test } from "vitest";
import { as, connectAccount, jpeg, newOwner, readResponse, schedule, uploaded } from "../testing";

test("GET /v1/me/usage returns what the user has used of each limit", async () => {
  const owner = await newOwner();
  const client = as(owner);
  const bytes = await jpeg();
  await uploaded(client, bytes);
  await client.post("/v1/media/upload/urls", { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 1_000 });
  const { id: socialMediaAccountId } = await connectAccount(owner, "X_TWITTER");
  const publication = { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "Bells" }] };
  await schedule(client, [publication]);
  await schedule(client, [publication], new Date("2031-05-01T12:00:00Z"));
  expect(await readResponse(client.get("/v1/me/usage"))).toEqual([
    200,
    {
      mediaBytes: { used: bytes.length + 1_000, limit: 20 * 1024 ** 3 },
      publicationsToday: { used: 1, limit: 10_000 },
    },
  ]);
});
