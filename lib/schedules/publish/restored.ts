import { and, eq, sql } from "drizzle-orm";
import { db, publishSteps } from "../../db";
import { env } from "../../env";
import {
  type Format,
  Indistinguishable,
  type Network,
  type NetworkSession,
  type OutgoingPost,
  PlatformError,
  type Published,
  ReadBackImpossible,
  searchPost,
} from "../../networks";
import type { Post } from "../read";
import { type Claim, changeClaimed, type Step } from "./claim";
import { lookalikeKeyOf, openLookup, rememberCalls } from "./lookup";
import { OutcomeUnknown, Postponed, requestedWaitSeconds } from "./outcomes";
import { backoffSeconds, SETTLED_SECONDS } from "./reconcile";
import { type LookupState, resultOf, storeFound, storeLookupState } from "./steps";

// After the database went back in time, a post that it considers unsent may be live. `restore finish` stores an intent for
// each of these posts under this name. While the intent is open, an attempt at the post only searches the network for it and
// sends nothing. Its handles are lost, so the network must list posts: `Lookalikes.search` of its adapter.

/** The name of the intent of a post that may have been sent after the backup was taken. */
export const RESTORED = "sent after the backup";

type Result = Published | { absent: true };

/** Returns the intent of a post that may have been sent after the backup, unless the network certainly does not have it. */
export function restoredStep(claim: Claim, post: Post): Step | undefined {
  const step = claim.steps.find(({ postId, name }) => postId === post.id && name === RESTORED);
  if (step?.state !== "DONE") return step;
  return "absent" in resultOf<Result>(step) ? undefined : step;
}

/** Whether the post may have been sent after the backup. A network that calls it a duplicate then has it. */
export function wasRestored(claim: Claim, post: Post): boolean {
  return claim.steps.some(({ postId, name }) => postId === post.id && name === RESTORED);
}

/** The network rejects the post as a duplicate, so it was published after the backup was taken. */
export class PublishedBefore extends Error {
  constructor(network: string) {
    super(`${network} already had it: it was published before the service was restored from a backup`);
    this.name = "PublishedBefore";
  }
}

type Sending = { network: Network; session: NetworkSession; sent: OutgoingPost<unknown>; format: Format<unknown> };

/**
 * Searches the network for a post that may have been sent after the backup was taken. Nothing is sent.
 * @throws Postponed to search again, or because the network does not have the post, so that the next attempt sends it;
 * OutcomeUnknown if the network cannot tell; PlatformError if the account needs a new token
 */
export async function findRestored(claim: Claim, post: Post, intent: Step, sending: Sending): Promise<Published> {
  if (intent.state === "DONE") return resultOf<Published>(intent);
  const { name } = sending.network;
  const known = (intent.result as Partial<LookupState> | null) ?? {};
  const { errors = 0 } = known;
  const isOver = claim.isOutcomeUnknown || errors >= MAX_ERRORS;
  const looks = (known.looks ?? 0) + 1;
  const isSettled = looks >= 2 && intent.seconds > SETTLED_SECONDS / env.timeFactor;
  const again = (error?: PlatformError) => {
    if (isOver) return new OutcomeUnknown(name, true, MAY_BE_SENT);
    const untilSettled = SETTLED_SECONDS / env.timeFactor - intent.seconds;
    const wait = error
      ? backoffSeconds(errors * FIRST_WAIT_SECONDS, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS)
      : untilSettled;
    const seconds = Math.max(1, wait, (error && requestedWaitSeconds(error)) ?? 0);
    return new Postponed(seconds, "LOOKING", `Carillon is checking whether ${name} already has this post`);
  };
  let found: Published | undefined;
  try {
    found = await search(claim, post, intent, sending);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    const isHopeless = error instanceof ReadBackImpossible;
    const isAmbiguous = error instanceof Indistinguishable;
    if (claim.sendAgain && (isHopeless || isAmbiguous || isOver)) throw await sendableError(claim, post, name);
    if (isHopeless) throw new OutcomeUnknown(name, false, MAY_BE_SENT);
    const state = isAmbiguous ? { looks, errors } : { looks: looks - 1, errors: errors + 1 };
    await storeLookupState(intent, { answered: false, ...state });
    throw isAmbiguous && isSettled
      ? new OutcomeUnknown(name, true, MAY_BE_SENT)
      : again(isAmbiguous ? undefined : error);
  }
  if (found) {
    await storeFound(claim, post.id, RESTORED, found);
    return found;
  }
  if (claim.sendAgain || (isSettled && !claim.isOutcomeUnknown)) throw await sendableError(claim, post, name);
  await storeLookupState(intent, { answered: false, looks, errors: 0 });
  throw again();
}

const MAY_BE_SENT = "cannot tell whether this post was published before the service was restored from a backup";
/** So often, the network could not be read. */
const MAX_ERRORS = 12;
const FIRST_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 30;

async function search(claim: Claim, post: Post, intent: Step, { network, session, sent, format }: Sending) {
  const steps = claim.steps.filter(({ postId, state }) => postId === post.id && state === "DONE");
  // The bytes are not needed: nothing is uploaded.
  const media = sent.media.map((item) => ({ ...item, open: noBytes, publicUrl: async () => "" }));
  const light = { ...sent, media, thumbnail: sent.thumbnail && { ...sent.thumbnail, open: noBytes } };
  return searchPost(network, (run) => format.publish(light, run), {
    session,
    stepDone(name) {
      const step = steps.find((one) => one.name === name);
      return step && { result: resultOf(step) };
    },
    async decide(recovery, list) {
      // The keys of all posts are stored before the first search, so that two posts that look the same know about each other.
      if (intent.lookalikeKey === null && recovery?.lookalikes) {
        await storeKey(post, lookalikeKeyOf(claim, post, recovery.lookalikes.likeness));
        throw new Postponed(1 / env.timeFactor, "LOOKING", `Carillon will check whether ${network.name} has this post`);
      }
      const lookup = openLookup(claim, post, intent, recovery ?? {}, session);
      const { listed, isWhole } = await list(lookup.from);
      const found = await lookup.identify(listed);
      if (!found && !isWhole) throw new ReadBackImpossible(`${network.name} does not list all posts since the backup`);
      return found;
    },
  });
}

const noBytes = async () => new Response(" ").body ?? new ReadableStream<Uint8Array>();

async function storeKey(post: Post, lookalikeKey: string): Promise<void> {
  await db
    .update(publishSteps)
    .set({ lookalikeKey })
    .where(and(eq(publishSteps.postId, post.id), eq(publishSteps.name, RESTORED)));
}

/** Marks the post as certainly not sent, and the posts after it, which need it. Returns the error that ends this attempt. */
async function sendableError(claim: Claim, post: Post, network: string): Promise<Postponed> {
  const absent: Result = { absent: true };
  await changeClaimed(claim, { claims: 0 }, async (tx) => {
    if (claim.sendAgain) await rememberCalls(tx, post.id);
    await tx.execute(sql`
      update publish_steps t set state = 'DONE', irreversible = false, finished_at = clock_timestamp(),
        result = ${JSON.stringify({ value: absent })}::jsonb
      from posts q where q.id = t.post_id and q.publication_id = ${claim.publicationId} and q.position >= ${post.position}
        and t.name = ${RESTORED} and t.state = 'SENDING'`);
  });
  return new Postponed(0, "WAITING", `${network} does not have this post yet, so it can be sent`);
}
