import { and, eq } from "drizzle-orm";
import { db, publishSteps } from "../../db";
import type { Post } from "../read";

/** The network said that nothing came of what was sent: it is no reason for doubt any more, and another try begins anew. */
export async function forgetSent(post: Post): Promise<void> {
  const sent = and(eq(publishSteps.postId, post.id), eq(publishSteps.state, "DONE"));
  await db.update(publishSteps).set({ irreversible: false }).where(sent);
}
