import { describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { as, connect, fault, newOwner, picture, postsOn, schedule, settled, uploaded, withWorker } from "../../testing";
import { told } from "../../testing/owners";
import { withApiServed } from "../../testing/served";

withWorker();

withApiServed(); // Threads fetches files itself, from the product's own address

type Part = { content: string; attachmentPaths?: string[] };

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connect(owner, "THREADS");
  const on = (parts: (string | Part)[], settings: { topicTag?: string } = {}) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "THREADS", ...settings },
    posts: parts.map((part) => (typeof part === "string" ? { content: part } : part)),
  });
  return { owner, client: as(owner), person, on };
}

const said = async (person: string) =>
  (await postsOn("threads", person)).map(({ text, media }) => [text, media.length]);

describe("every format goes out once", () => {
  test("a text, an image, a video, a carousel and a thread", { timeout: 60_000 }, async () => {
    const { owner, client, person, on } = await owned();
    const [one, two] = [await picture(owner), await picture(owner, 500, 500)];
    const path = await uploaded(client, mp4({ seconds: 2 }), "film.mp4");
    const made = await schedule(client, [
      on(["a text"], { topicTag: "bells" }),
      on([{ content: "an image", attachmentPaths: [one] }]),
      on([{ content: "a video", attachmentPaths: [path] }]),
      on([{ content: "a carousel", attachmentPaths: [one, path, two] }]),
      on(["first", { content: "second", attachmentPaths: [two] }, "third"]),
    ]);
    const seen = await settled(client, made.id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect((await said(person)).sort()).toEqual(
      [
        ["a text", 0],
        ["an image", 1],
        ["a video", 1],
        ["a carousel", 3],
        ["first", 0],
        ["second", 1],
        ["third", 0],
      ].sort(),
    );
    const held = await postsOn("threads", person);
    const [first, second, third] = ["first", "second", "third"].map((text) => held.find((post) => post.text === text));
    expect([first?.replyTo, second?.replyTo, third?.replyTo]).toEqual([undefined, first?.id, second?.id]);
    for (const post of seen.publications.flatMap(({ posts }) => posts)) {
      expect(post.permalink).toBe(held.find(({ id }) => id === post.networkPostId)?.permalink);
    }
  });
});

test("a permission that is revoked in the middle of a thread: published posts stay, and the account must be reconnected", async () => {
  const { client, person, on } = await owned();
  await settled(client, (await schedule(client, [on(["before"])])).id);
  await fault({ network: "threads", operation: "publish", fault: "revoke_token" });
  const seen = await settled(client, (await schedule(client, [on(["never out", "nor this"])])).id);
  expect(seen).toMatchObject({
    overallStatus: "FAILED",
    publications: [{ posts: [{ error: expect.stringContaining("Connect the account again") }, { status: "PENDING" }] }],
  });
  expect(await said(person)).toEqual([["before", 0]]);
  expect(await told(client.get("/v1/accounts"))).toMatchObject([200, [{ state: "RECONNECT_REQUIRED" }]]);
});
