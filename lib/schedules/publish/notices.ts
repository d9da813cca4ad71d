import { and, eq, inArray, sql } from "drizzle-orm";
import { deauthorize, findAccountByCallbackId } from "../../accounts";
import { db, posts, publications } from "../../db";
import { log } from "../../log";
import type { Network, NetworkNotice } from "../../networks";

/** Handles a network's notices about its accounts. Notices about unknown accounts and outdated notices are ignored. */
export async function handleNotices(network: Network, notices: NetworkNotice[]): Promise<void> {
  for (const notice of notices) {
    const account = await findAccountByCallbackId(network.platform, notice.accountId);
    if (!account) continue;
    log.info({ account: account.id, kind: notice.kind }, `${network.name} sent a notice`);
    if (notice.kind === "post id") {
      await setPostId(account.id, notice.handle, { id: notice.id, permalink: notice.permalink(account.username) });
    } else if (Date.parse(account.stateSince) < notice.at.getTime() + 1000) {
      // Notices have whole seconds and may be repeated, so one from before the account was reconnected is ignored.
      await deauthorize(account.id, notice.says);
    }
  }
}

/** Replaces the temporary handle of a published post with its id. */
async function setPostId(accountId: number, handle: string, { id, permalink }: { id: string; permalink: string }) {
  const ofAccount = db.select({ id: publications.id }).from(publications).where(eq(publications.accountId, accountId));
  // An ID that a lookup has given to another post gets no place here, because an ID of a place belongs to one post.
  const isTaken = sql`exists (select from posts other where other.network_place = ${posts.networkPlace}
    and other.network_post_id = ${id} and other.id <> ${posts.id})`;
  await db
    .update(posts)
    .set({
      networkPostId: id,
      permalink,
      networkPlace: sql`case when ${isTaken} then null else ${posts.networkPlace} end`,
    })
    .where(
      and(inArray(posts.publicationId, ofAccount), eq(posts.networkPostId, handle), sql`${posts.status} = 'PUBLISHED'`),
    );
}
