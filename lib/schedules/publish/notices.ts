import { and, eq, inArray, sql } from "drizzle-orm";
import { deauthorize, findAccountOfNotice } from "../../accounts";
import { db, posts, publications } from "../../db";
import { log } from "../../log";
import type { Network, NetworkNotice } from "../../networks";

/** Acts on what a network told of its accounts; what concerns none of ours, or is old, changes nothing. */
export async function takeNotices(network: Network, notices: NetworkNotice[]): Promise<void> {
  for (const notice of notices) {
    const account = await findAccountOfNotice(network.platform, notice.accountId);
    if (!account) continue;
    log.info({ account: account.id, kind: notice.kind }, `${network.name} told something`);
    if (notice.kind === "post id") {
      await namePost(account.id, notice.handle, { id: notice.id, permalink: notice.permalink(account.username) });
    } else if (Date.parse(account.stateSince) < notice.at.getTime() + 1000) {
      // Told in whole seconds, and perhaps again after the person has come back: only what is younger than that counts.
      await deauthorize(account.id, notice.says);
    }
  }
}

/** A post that went by a handle is known by its id from now on. */
async function namePost(accountId: number, handle: string, { id, permalink }: { id: string; permalink: string }) {
  const ofAccount = db.select({ id: publications.id }).from(publications).where(eq(publications.accountId, accountId));
  await db
    .update(posts)
    .set({ networkPostId: id, permalink })
    .where(
      and(inArray(posts.publicationId, ofAccount), eq(posts.networkPostId, handle), sql`${posts.status} = 'PUBLISHED'`),
    );
}
