import { counted, openSession } from "../../accounts";
import { WorkerLost } from "../../jobs";
import { failPoint } from "../../jobs/fail-point";
import { log } from "../../log";
import { formatsOf, networkOf, PlatformError, type Published } from "../../networks";
import { assertAltTexts } from "../check/alt-text";
import { formatNameOf } from "../check/publication";
import type { Post } from "../read";
import { type Claim, ClaimLost } from "./claim";
import { watched } from "./health";
import { wasSent } from "./open-steps";
import { assertInTime } from "./outcomes";
import { attachmentsOf, madeFit, outgoing, withFilms } from "./outgoing";
import { record } from "./record";
import { openRun } from "./run";
import { settleFailed, settlePublished } from "./settle";

/** A publication that was claimed so often without getting anywhere ends what claims it: it is set aside. */
const MOST_CLAIMS = 3;
/** An account that came with a claim this young needs not be read once more. */
const JUST_MS = 1_000;

/** Publishes what was claimed as far as it gets: to its end, to a wait, or to a reason why not. */
export async function publish(claim: Claim): Promise<void> {
  try {
    await failPoint("claimed");
    await publishPosts(claim);
  } catch (error) {
    // Somebody else has it now, or nobody: what we know is not worth recording. It is due again when the claim runs out.
    if (error instanceof ClaimLost || error instanceof WorkerLost) return;
    throw error;
  }
}

async function publishPosts(claim: Claim): Promise<void> {
  let after: Published | undefined;
  for (const post of claim.posts) {
    if (post.status === "PUBLISHED") {
      after = { id: post.networkPostId ?? "", permalink: post.permalink ?? undefined };
      continue;
    }
    try {
      if (claim.claims > MOST_CLAIMS) return await setAside(claim, post);
      // What was sent is brought to its end however late it is; another call is not begun then (`run.ts`).
      if (!wasSent(claim, post)) assertInTime(claim);
      after = await publishPost(claim, post, after);
    } catch (error) {
      await record(claim, post, error);
      return;
    }
    await settlePublished(claim, post, after);
    await failPoint("settled");
    claim.isToldUnknown = false; // found after all, and what follows it goes on
  }
}

async function setAside(claim: Claim, post: Post): Promise<void> {
  log.error({ publication: claim.publicationId, claims: claim.claims }, "a publication gets nowhere and is set aside");
  const says =
    "Carillon began this three times and got nowhere each time, so it is set aside and not tried again by itself";
  await settleFailed(claim, post, { status: "FAILED", says });
}

async function publishPost(claim: Claim, post: Post, after: Published | undefined): Promise<Published> {
  const { account } = claim;
  const network = networkOf(account.platform);
  const isJustRead = performance.now() - claim.takenAt < JUST_MS;
  const session = await openSession(account, isJustRead ? claim : undefined);
  claim.accessToken = session.tokens.accessToken;
  await failPoint("opened");
  const counting = counted(watched(session, account.platform), network, String(post.id));
  const run = openRun(claim, post, counting, network.name);
  const { type: _, ...settings } = claim.settings;
  const attached = await attachmentsOf(claim.ownerId, post);
  const taken = formatsOf(network, settings);
  const films = withFilms(taken, attached);
  const format = taken[formatNameOf(films.media)];
  if (!format) throw new PlatformError("rejected", `${network.name} does not take this kind of post`);
  // What has begun goes out as it was begun.
  const hasBegun = claim.steps.some(({ postId }) => postId === post.id);
  if (!hasBegun) assertAltTexts(network.name, format.limits, { settings, ...films });
  const limits = network.limitsAt?.(session.tokens, format.limits) ?? format.limits;
  return format.publish(outgoing(post, settings, await madeFit(network.name, taken, limits, attached), after), run);
}
