import { randomInt } from "node:crypto";
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { accounts, connectTraces, db, type TraceStep, type Tx, users } from "../db";
import type { Platform } from "../platforms";
import { type ConnectError, type ConnectFailure, isConnectFailure } from "./failure";

/** `abandoned`: the person went to the network's page and did not return. */
export type ConnectOutcome = "under way" | "abandoned" | "connected" | ConnectFailure;

/** The record of one attempt to connect. */
export type ConnectTrace = {
  /** The code shown on the person's page. */
  code: string;
  platform: Platform;
  connectUser: { uuid: string; externalUserId?: string; name: string };
  /** Scheme and host of the link's redirectUri. */
  returnsTo: string;
  outcome: ConnectOutcome;
  /** The connected account, while it exists. */
  account?: { id: number; username: string; displayName: string };
  steps: TraceStep[];
  /** In the database's format for timestamps. */
  startedAt: string;
  endedAt?: string;
};

/** Crockford's base 32: no letters that look like digits or like each other. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** How long a person may stay on the network's pages before the attempt expires. */
export const ATTEMPT_LIFE = sql`interval '15 minutes'`;
/** Further steps are dropped, because a person can repeat some of them. */
const MAX_STEPS = 20;

/** Ten characters that are easy to read out and type, with a hyphen in the middle. */
export function newTraceCode(): string {
  const half = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${half()}-${half()}`;
}

type NewTrace = {
  code: string;
  owner: string;
  jti: string;
  platform: Platform;
  redirectUri: string;
  steps: TraceStep[];
};

/** Stores a new trace; `failed` is given if the attempt has failed already. */
export async function beginTrace(tx: Tx, trace: NewTrace, failed?: ConnectError): Promise<void> {
  const { code, owner, jti, platform, redirectUri, steps } = trace;
  await tx.insert(connectTraces).values({
    code,
    ownerId: owner,
    partnerId: sql`(select partner_id from users where id = ${owner})`,
    stateId: jti,
    platform,
    returnOrigin: originOf(redirectUri),
    steps,
    ...(failed ? { outcome: failed.failure, endedAt: sql`now()` } : {}),
  });
}

/** Scheme and host only: the rest of the address may contain the partner's secrets. */
function originOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host ? `${protocol}//${host}` : protocol;
}

type TraceEnd = { outcome: "connected"; accountId: number } | { outcome: ConnectFailure; accountId?: undefined };

/** Appends steps and, if the attempt has ended, its outcome. An ended trace no longer changes. */
export async function addToTrace(tx: Tx, code: string, steps: TraceStep[], end?: TraceEnd): Promise<void> {
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
        end ? undefined : sql`jsonb_array_length(${connectTraces.steps}) < ${MAX_STEPS}`,
      ),
    );
}

export function stepAt(step: TraceStep["step"], facts: Omit<TraceStep, "step" | "at"> = {}): TraceStep {
  return { step, at: new Date().toISOString(), ...facts };
}

/** Where a list of traces continues: start time and id of the last trace returned. */
export type TraceCursor = [startedAt: string, id: string];

type TraceFilter = {
  limit: number;
  after?: TraceCursor;
  outcome?: ConnectOutcome;
  connectUserId?: string;
  externalUserIds?: string[];
};

const outcomeNow = sql<string>`coalesce(${connectTraces.outcome},
  case when ${connectTraces.startedAt} < now() - ${ATTEMPT_LIFE} then 'abandoned' else 'under way' end)`;

/** The attempts of a partner's users in the last 30 days, newest first. `next` is the cursor of the next page. */
export async function listConnectTraces(
  partnerId: string,
  { limit, after, outcome, connectUserId, externalUserIds }: TraceFilter,
): Promise<{ items: ConnectTrace[]; next?: TraceCursor }> {
  const rows = await selectTraces()
    .where(
      and(
        eq(connectTraces.partnerId, partnerId),
        outcome && sql`${outcomeNow} = ${outcome}`,
        connectUserId === undefined ? undefined : eq(connectTraces.ownerId, connectUserId),
        externalUserIds && inArray(users.externalUserId, externalUserIds),
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

/** The trace with the code that a person quotes, in any spelling; undefined if no user of this partner has it. */
export async function findConnectTrace(partnerId: string, code: string): Promise<ConnectTrace | undefined> {
  const characters = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
  const canonical = `${characters.slice(0, 5)}-${characters.slice(5)}`;
  const [row] = await selectTraces().where(
    and(eq(connectTraces.partnerId, partnerId), eq(connectTraces.code, canonical)),
  );
  return row && fromRow(row);
}

/** The latest trace of one of this owner's links; undefined if the link has not been opened. */
export async function findTraceOfLink(ownerId: string, jti: string): Promise<ConnectTrace | undefined> {
  const [row] = await selectTraces()
    .where(and(eq(connectTraces.ownerId, ownerId), eq(connectTraces.stateId, jti)))
    .orderBy(desc(connectTraces.startedAt))
    .limit(1);
  return row && fromRow(row);
}

function selectTraces() {
  return db
    .select({
      ...{ trace: connectTraces, outcome: outcomeNow, user: users },
      ...{ username: accounts.username, displayName: accounts.displayName },
    })
    .from(connectTraces)
    .innerJoin(users, eq(users.id, connectTraces.ownerId))
    .leftJoin(accounts, eq(accounts.id, connectTraces.accountId));
}

type Row = Awaited<ReturnType<typeof selectTraces>>[number];

function fromRow({ trace, outcome, user, username, displayName }: Row): ConnectTrace {
  const { code, platform, returnOrigin: returnsTo, accountId, startedAt, endedAt } = trace;
  return {
    code,
    platform,
    connectUser: { uuid: user.id, externalUserId: user.externalUserId ?? undefined, name: user.name },
    returnsTo,
    outcome: isOutcome(outcome) ? outcome : "fault",
    ...(accountId !== null && username !== null && displayName !== null
      ? { account: { id: accountId, username, displayName } }
      : {}),
    steps: trace.steps,
    startedAt,
    ...(endedAt ? { endedAt } : {}),
  };
}

function isOutcome(text: string): text is ConnectOutcome {
  return ["under way", "abandoned", "connected"].includes(text) || isConnectFailure(text);
}
