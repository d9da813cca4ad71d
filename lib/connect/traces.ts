import { randomInt } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { accounts, connectTraces, db, type TraceStep, type Tx, users } from "../db";
import type { Platform } from "../platforms";
import { type ConnectFailed, type Failure, isFailure } from "./failure";

/** `abandoned`: the person went to the network's page and never came back. */
export type Outcome = "under way" | "abandoned" | "connected" | Failure;

/** What became of one attempt to connect. */
export type ConnectTrace = {
  /** As the person's page showed it. */
  code: string;
  platform: Platform;
  connectUser: { uuid: string; externalUserId?: string; name: string };
  /** Scheme and host of where the browser was to end. */
  returnsTo: string;
  outcome: Outcome;
  /** The account that was connected, while it is there. */
  account?: { id: number; username: string };
  steps: TraceStep[];
  /** As the database writes instants. */
  startedAt: string;
  endedAt?: string;
};

/** No letters that are taken for digits or for each other (Crockford's base 32). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** So long may a person be on the network's pages; the attempt itself ends then too. */
export const ATTEMPT_LIFE = sql`interval '15 minutes'`;
/** What is repeated before the end is kept so many times at most. */
const MOST_STEPS = 20;

/** Ten characters that can be read out and typed, with a hyphen in the middle. */
export function newTraceCode(): string {
  const half = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${half()}-${half()}`;
}

type Begun = { code: string; owner: string; jti: string; platform: Platform; redirectUri: string; steps: TraceStep[] };

/** Begins a trace; `failed` where the attempt came to its end with its beginning. */
export async function beginTrace(tx: Tx, begun: Begun, failed?: ConnectFailed): Promise<void> {
  const { code, owner, jti, platform, redirectUri, steps } = begun;
  await tx.insert(connectTraces).values({
    code,
    ownerId: owner,
    partnerId: sql`(select partner_id from users where id = ${owner})`,
    stateId: jti,
    platform,
    returnsTo: placeOf(redirectUri),
    steps,
    ...(failed ? { outcome: failed.failure, endedAt: sql`now()` } : {}),
  });
}

/** Scheme and host; what stands behind is the partner's own. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host ? `${protocol}//${host}` : protocol;
}

type End = { outcome: "connected"; accountId: number } | { outcome: Failure; accountId?: undefined };

/** Adds what happened since, and how it ended where it did. An end is final. */
export async function addToTrace(tx: Tx, code: string, steps: TraceStep[], end?: End): Promise<void> {
  await tx
    .update(connectTraces)
    .set({
      steps: sql`${connectTraces.steps} || ${JSON.stringify(steps)}::jsonb`,
      ...(end && { ...end, endedAt: sql`now()` }),
    })
    .where(
      and(
        eq(connectTraces.code, code),
        isNull(connectTraces.outcome),
        end ? undefined : sql`jsonb_array_length(${connectTraces.steps}) < ${MOST_STEPS}`,
      ),
    );
}

export function stepAt(step: TraceStep["step"], facts: Omit<TraceStep, "step" | "at"> = {}): TraceStep {
  return { step, at: new Date().toISOString(), ...facts };
}

/** Where a list of traces goes on: when the last one shown began, and its id. */
export type TracePlace = [startedAt: string, id: string];

type Wanted = { limit: number; after?: TracePlace; outcome?: Outcome; connectUserId?: string };

const outcomeNow = sql<string>`coalesce(${connectTraces.outcome},
  case when ${connectTraces.startedAt} < now() - ${ATTEMPT_LIFE} then 'abandoned' else 'under way' end)`;

/** The attempts of a partner's users in the last 30 days, newest first; `next` is the place to go on after. */
export async function listTraces(
  partnerId: string,
  { limit, after, outcome, connectUserId }: Wanted,
): Promise<{ items: ConnectTrace[]; next?: TracePlace }> {
  const rows = await selectTraces()
    .where(
      and(
        eq(connectTraces.partnerId, partnerId),
        outcome && sql`${outcomeNow} = ${outcome}`,
        connectUserId === undefined ? undefined : eq(connectTraces.ownerId, connectUserId),
        after && sql`(${connectTraces.startedAt}, ${connectTraces.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(connectTraces.startedAt), desc(connectTraces.id))
    .limit(limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(fromRow),
    next: rows.length > limit && last ? [last.trace.startedAt, last.trace.id] : undefined,
  };
}

/** The trace that a person quotes, however it is typed; undefined where it is none of this partner's users. */
export async function findTrace(partnerId: string, code: string): Promise<ConnectTrace | undefined> {
  const letters = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
  const written = `${letters.slice(0, 5)}-${letters.slice(5)}`;
  const [row] = await selectTraces().where(
    and(eq(connectTraces.partnerId, partnerId), eq(connectTraces.code, written)),
  );
  return row && fromRow(row);
}

/** What became of a link of this owner's, opened last; undefined where it was not opened yet. */
export async function traceOfLink(ownerId: string, jti: string): Promise<ConnectTrace | undefined> {
  const [row] = await selectTraces()
    .where(and(eq(connectTraces.ownerId, ownerId), eq(connectTraces.stateId, jti)))
    .orderBy(desc(connectTraces.startedAt))
    .limit(1);
  return row && fromRow(row);
}

function selectTraces() {
  return db
    .select({ trace: connectTraces, outcome: outcomeNow, user: users, username: accounts.username })
    .from(connectTraces)
    .innerJoin(users, eq(users.id, connectTraces.ownerId))
    .leftJoin(accounts, eq(accounts.id, connectTraces.accountId));
}

type Row = Awaited<ReturnType<typeof selectTraces>>[number];

function fromRow({ trace, outcome, user, username }: Row): ConnectTrace {
  const { code, platform, returnsTo, accountId, startedAt, endedAt } = trace;
  return {
    code,
    platform,
    connectUser: { uuid: user.id, externalUserId: user.externalUserId ?? undefined, name: user.name },
    returnsTo,
    outcome: isOutcome(outcome) ? outcome : "fault",
    ...(accountId !== null && username !== null ? { account: { id: accountId, username } } : {}),
    steps: trace.steps,
    startedAt,
    ...(endedAt ? { endedAt } : {}),
  };
}

function isOutcome(text: string): text is Outcome {
  return ["under way", "abandoned", "connected"].includes(text) || isFailure(text);
}
