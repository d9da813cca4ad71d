import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db, schedules } from "../../db";
import type { Network } from "../../networks";
import { as, connect, newOwner, schedule, told, uploaded } from "../../testing";
import { recipeOf } from "../../testing/recipe";
import { type Claim, claimPublication } from "../publish/claim";
import type { Post } from "../read";

const HOUR_MS = 3_600_000;

/** A post on X of which nobody else knows that its time has come, claimed. */
export async function claimedPost(lateSeconds = 0): Promise<{ claim: Claim; post: Post }> {
  const owner = await newOwner();
  const { id: account } = await connect(owner, "X_TWITTER");
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "one" }] };
  const made = await schedule(as(owner), [on], new Date(Date.now() + HOUR_MS));
  await db
    .update(schedules)
    .set({ scheduledTime: sql`now() - make_interval(secs => ${lateSeconds})` })
    .where(eq(schedules.id, made.id));
  return reclaimPost(made.publications[0]?.id ?? 0);
}

/** The same by another worker, once the claim before is given back. */
export async function reclaimPost(publicationId: number): Promise<{ claim: Claim; post: Post }> {
  const claim = await claimPublication(publicationId, { id: randomUUID(), assertAlive() {} });
  const [post] = claim?.posts ?? [];
  if (!claim || !post) throw new Error("the publication could not be claimed");
  return { claim, post };
}

/** The plainest post of a network, on an account of its own, whose time has come and that nobody else is told of. */
export async function createDuePost(network: Network) {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connect(owner, network.platform);
  const { platformSettings, files } = recipeOf(network);
  const attachmentPaths = [];
  for (const { bytes, filename } of await files()) {
    attachmentPaths.push(await uploaded(client, bytes, filename));
  }
  const chats =
    network.destinations && (await told(client.get(`/v1/accounts/${id}/chats?platform=${network.platform}`)));
  const chatId = (chats?.[1] as { id: string }[] | undefined)?.[0]?.id;
  const post = { content: "The bells of the town", attachmentPaths, chatId };
  const on = { socialMediaAccountId: id, platformSettings, posts: [post] };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR_MS));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const [publication] = made.publications;
  return {
    client,
    person,
    id: made.id,
    publicationId: publication?.id ?? 0,
    postId: publication?.posts[0]?.id ?? 0,
  };
}
