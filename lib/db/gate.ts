import { performance } from "node:perf_hooks";
import { log } from "../log";
import { perProcess } from "./per-process";

/** How long to wait after a failed attempt to connect. The wait doubles with each failure, up to the maximum. */
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 4_000;
/** How many connections are opened at a time while the database works. */
const CONCURRENT = 2;
/** For how long after a failure the database may be the cause of another failed request. */
const TROUBLE_MS = 10_000;
/** For how long requests fail at once after a query was not answered. */
const HANGING_MS = 1_000;

type Gate = {
  attempts: Set<Promise<unknown>>;
  /** A connection was lost or refused, and none was opened since. */
  isSuspect: boolean;
  failures: number;
  closedUntil: number;
  troubledAt: number;
  answeredAt: number;
  /** Until then, requests fail at once, because the database did not answer a query. */
  hangingUntil: number;
  downSince?: number;
  reason?: unknown;
};

const gate = perProcess<Gate>("db.gate", () => ({
  attempts: new Set(),
  isSuspect: false,
  failures: 0,
  closedUntil: 0,
  troubledAt: Number.NEGATIVE_INFINITY,
  answeredAt: Number.NEGATIVE_INFINITY,
  hangingUntil: 0,
}));

/** The database did not accept a connection. The code is the SQLSTATE for that, even if the cause is a socket or a time limit. */
export class DatabaseUnreachable extends Error {
  readonly code = "08001";

  constructor(cause: unknown) {
    super(`the database cannot be reached: ${messageOf(cause)}`, { cause });
    this.name = "DatabaseUnreachable";
  }
}

/** The message of an error. If Node tried every address of a host name, the error has a code but no message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/**
 * Opens a connection to the database. Every new connection of this process passes this gate. After a failed attempt the gate
 * is closed for a while: further attempts fail at once, without a connection. Then one attempt at a time is let through
 * until one succeeds. So a process makes at most two attempts per second while the database is down, whatever it does.
 * @throws DatabaseUnreachable
 */
export async function throughGate(connect: () => Promise<unknown>): Promise<void> {
  for (;;) {
    if (performance.now() < gate.closedUntil) throw new DatabaseUnreachable(gate.reason);
    if (gate.attempts.size < (gate.isSuspect ? 1 : CONCURRENT)) break;
    await Promise.race(gate.attempts);
  }
  const attempt = connect().then(opened, refused);
  gate.attempts.add(attempt);
  const error = await attempt.finally(() => gate.attempts.delete(attempt));
  if (error) throw error;
}

function opened(): undefined {
  if (gate.downSince !== undefined) {
    const seconds = Math.round((performance.now() - gate.downSince) / 1000);
    log.info({ seconds }, "the database can be reached again");
  }
  Object.assign(gate, {
    isSuspect: false,
    failures: 0,
    closedUntil: 0,
    hangingUntil: 0,
    downSince: undefined,
    reason: undefined,
  });
}

function refused(reason: unknown): DatabaseUnreachable {
  const now = performance.now();
  const longestMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** gate.failures);
  gate.closedUntil = now + Math.max(MIN_WAIT_MS, longestMs * (0.5 + Math.random() / 2));
  gate.failures++;
  gate.reason = reason;
  if (gate.downSince === undefined) {
    gate.downSince = now;
    log.error({ error: messageOf(reason) }, "the database cannot be reached");
  }
  connectionLost();
  return new DatabaseUnreachable(reason);
}

/** Call this when a connection broke or did not answer in time: from then on, one new connection at a time is tried. */
export function connectionLost(): void {
  gate.isSuspect = true;
  databaseFailed();
}

/** The database answered a query. */
export function queryAnswered(): void {
  gate.answeredAt = performance.now();
  gate.hangingUntil = 0;
}

/**
 * A query was not answered in time. If no other query was answered since it began, the database hangs: a request that waited
 * for this query does not wait again, for example to record its failure.
 */
export function queryUnanswered(since: number): void {
  connectionLost();
  if (gate.answeredAt < since) gate.hangingUntil = performance.now() + HANGING_MS;
}

export function isDatabaseHanging(): boolean {
  return performance.now() < gate.hangingUntil;
}

/** Call this when the database refused a statement because of its own state or took too long. */
export function databaseFailed(): void {
  gate.troubledAt = performance.now();
}

/** True if the database is unreachable or failed within the last ten seconds, so that it may be why a request failed. */
export function isDatabaseTroubled(): boolean {
  return gate.downSince !== undefined || performance.now() - gate.troubledAt < TROUBLE_MS;
}
