import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { connectWithPassword } from "../../connect";
import { accounts, db } from "../../db";
import { env } from "../../env";
import {
  as,
  callsOn,
  connect,
  newOwner,
  newPerson,
  picture,
  postsOn,
  schedule,
  settled,
  told,
  upload,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connect(owner, "BLUE_SKY");
  const images = [await picture(owner), await picture(owner, 500, 300)];
  return { owner, id, client: as(owner), person, images, on: onAccount(id) };
}

const onAccount =
  (id: number) =>
  (...posts: { content: string; attachmentPaths?: string[] }[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "BLUE_SKY" },
    posts: posts.map((post) => ({ attachmentPaths: [], ...post })),
  });
const texts = async (person: string) => (await postsOn("bluesky", person)).map(({ text }) => text).sort();

test("every format goes out once, and a thread in its order", { timeout: 60_000 }, async () => {
  const { client, person, images, on } = await owned();
  const made = await schedule(client, [
    on({ content: "an image", attachmentPaths: images.slice(0, 1) }),
    on({ content: "two images", attachmentPaths: images }),
    on({ content: "one" }, { content: "two" }, { content: "three" }),
  ]);
  const seen = await settled(client, made.id);
  expect(seen.overallStatus).toBe("COMPLETED");
  expect(await texts(person)).toEqual(["an image", "one", "three", "two", "two images"]);
  const held = await postsOn("bluesky", person);
  const byText = (text: string) => held.find((one) => one.text === text);
  expect([byText("two")?.replyTo, byText("three")?.replyTo]).toEqual([byText("one")?.id, byText("two")?.id]);
  for (const { posts } of seen.publications)
    for (const { networkPostId, permalink } of posts)
      expect(held).toContainEqual(expect.objectContaining({ id: networkPostId, permalink }));
});

test("an older server gets smaller images that it accepts", async () => {
  const { owner, client, person, on } = await owned();
  const url = `${env.sandbox?.url}/_control/bluesky/account`;
  const headers = { "content-type": "application/json" };
  const old = { account: person, isOnOldServer: true };
  expect((await fetch(url, { method: "POST", headers, body: JSON.stringify(old) })).status).toBe(204);
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 1200, height: 1200, channels: 3, background: "grey", noise } as const;
  const bytes = await sharp({ create }).jpeg({ quality: 95 }).toBuffer();
  expect(bytes.length).toBeGreaterThan(1_000_000);
  expect(bytes.length).toBeLessThan(2_000_000);
  const [, { path }] = (await told(upload(as(owner), bytes))) as [number, { path: string }];
  const seen = await settled(client, (await schedule(client, [on({ content: "large", attachmentPaths: [path] })])).id);
  expect(seen.overallStatus).toBe("COMPLETED");
  const [post] = await postsOn("bluesky", person);
  expect(post?.media).toMatchObject([{ type: "image/jpeg" }]);
  expect(post?.media[0]?.sizeBytes).toBeLessThanOrEqual(999_000);
});

describe("an account by app password", () => {
  test("is stored like any other, publishes, and renews its session", async () => {
    const owner = await newOwner();
    const person = newPerson();
    const credentials = { account: `${person}.bsky.test`, password: "sand-box7-pass-word" };
    const id = await connectWithPassword(owner, "BLUE_SKY", credentials);
    const client = as(owner);
    await db
      .update(accounts)
      .set({ tokensExpireAt: new Date(0).toISOString() })
      .where(eq(accounts.id, id));
    const seen = await settled(client, (await schedule(client, [onAccount(id)({ content: "by password" })])).id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await texts(person)).toEqual(["by password"]);
    expect(await callsOn("bluesky", person, "refresh")).toHaveLength(1);
  });

  test("a wrong password stores nothing", async () => {
    const owner = await newOwner();
    const credentials = { account: `${newPerson()}.bsky.test`, password: "aaaa-bbbb-cccc-dddd" };
    await expect(connectWithPassword(owner, "BLUE_SKY", credentials)).rejects.toThrow("app password");
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, owner))).toEqual([]);
  });
});

test("an expired token is refreshed before the post goes out", async () => {
  const { id, client, person, on } = await owned();
  await db
    .update(accounts)
    .set({ tokensExpireAt: new Date(0).toISOString() })
    .where(eq(accounts.id, id));
  const seen = await settled(client, (await schedule(client, [on({ content: "renewed" })])).id);
  expect(seen.overallStatus).toBe("COMPLETED");
  expect(await callsOn("bluesky", person, "refresh")).toHaveLength(1);
});
