import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { connectWithPassword } from "../../connect";
import { accounts, db } from "../../db";
import { env } from "../../env";
import {
  as,
  callsOn,
  connectAccount,
  newOwner,
  newPerson,
  postsOn,
  readResponse,
  schedule,
  settled,
  upload,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "BLUE_SKY");
  return { owner, client: as(owner), person, on: onAccount(id) };
}

const onAccount =
  (id: number) =>
  (...posts: { content: string; attachmentPaths?: string[] }[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "BLUE_SKY" },
    posts: posts.map((post) => ({ attachmentPaths: [], ...post })),
  });
const texts = async (person: string) => (await postsOn("bluesky", person)).map(({ text }) => text).sort();

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
  const [, { path }] = (await readResponse(upload(as(owner), bytes))) as [number, { path: string }];
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
