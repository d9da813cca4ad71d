import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { accounts, db, schedules } from "../../db";
import type { Network } from "../../networks";
import { as, connectAccount, firstChat, newOwner, schedule, uploaded } from "../../testing";
import { recipeOf } from "../../testing/recipe";
import { type Claim, claimPublication } from "../publish/claim";
import type { Post } from "../read";

const HOUR_MS = 3_600_000;

/** A claimed post on X whose time has come. No other worker is notified of it. */
export async function claimedPost(lateSeconds = 0): Promise<{ claim: Claim; post: Post }> {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "one" }] };
  const made = await schedule(as(owner), [on], new Date(Date.now() + HOUR_MS));
  await db
    .update(schedules)
    .set({ scheduledTime: sql`now() - make_interval(secs => ${lateSeconds})` })
    .where(eq(schedules.id, made.id));
  return reclaimPost(made.publications[0]?.id ?? 0);
}

/** The account's token was refreshed a moment ago because the network had refused it, so another refusal is final. */
export async function useUpRefresh({ account }: Claim): Promise<void> {
  const tokens = { tokensRefusedAt: sql`now()`, tokensRefreshedAt: sql`now()` };
  await db.update(accounts).set(tokens).where(eq(accounts.id, account.id));
}

/** Claims the publication for another worker, after the previous claim was released. */
export async function reclaimPost(publicationId: number): Promise<{ claim: Claim; post: Post }> {
  const claim = await claimPublication(publicationId, { id: randomUUID(), assertAlive() {} });
  const [post] = claim?.posts ?? [];
  if (!claim || !post) throw new Error("the publication could not be claimed");
  return { claim, post };
}

/**
 * An account of a new owner on a network, and the plainest publication that the network accepts.
 * @param files attachments in place of the ones that the network requires
 */
export async function plainPublication(
  network: Network,
  content: string,
  files?: (owner: string) => Promise<string[]>,
) {
  const owner = await newOwner();
  const client = as(owner);
  const { id: account, person } = await connectAccount(owner, network.platform);
  const recipe = recipeOf(network);
  const attachmentPaths = files ? await files(owner) : [];
  for (const { bytes, filename } of files ? [] : await recipe.files()) {
    attachmentPaths.push(await uploaded(client, bytes, filename));
  }
  const chatId = await firstChat(client, account, network);
  const posts = [{ content, attachmentPaths, chatId }];
  const publication = { socialMediaAccountId: account, platformSettings: recipe.platformSettings, posts };
  return { client, account, person, publication };
}

/** A due schedule with the plainest post of a network, which only this test's worker picks up. */
export async function createDuePost(network: Network) {
  const { client, person, publication } = await plainPublication(network, "The bells of the town");
  const made = await schedule(client, [publication], new Date(Date.now() + HOUR_MS));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const [first] = made.publications;
  return { client, person, id: made.id, publicationId: first?.id ?? 0, postId: first?.posts[0]?.id ?? 0 };
}

/** The database refuses this change twice, as during a failover. Returns a function that removes the trigger. */
export async function refuseTwice(change: string): Promise<() => Promise<void>> {
  await db.execute(sql`create sequence refusals`);
  await db.execute(sql`create function refuse_twice() returns trigger language plpgsql as
    'begin if nextval(''refusals'') <= 2 then raise exception ''the database system is shutting down'' using errcode = ''57P01''; end if;
    return coalesce(new, old); end'`);
  await db.execute(sql.raw(`create trigger refuse_twice before ${change} execute function refuse_twice()`));
  return async () => {
    await db.execute(sql`drop function refuse_twice cascade`);
    await db.execute(sql`drop sequence refusals`);
  };
}
