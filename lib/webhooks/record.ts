import { sql } from "drizzle-orm";
import { db, type Tx } from "../db";
import { batch } from "../db/batch";
import { statement, value } from "../db/statement";
import { env } from "../env";
import { countDeliveryAttempt } from "../metrics";
import type { ClaimedDelivery } from "./claim";
import { disableEndpoint, type Endpoint } from "./endpoints";
import type { DeliveryAttempt } from "./send";

/** Seconds to wait after the first failed attempt, the second, and so on. After the last one, the delivery fails. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Spreads out deliveries that failed at the same moment. */
const JITTER = 0.1;

/**
 * Returns how many seconds to wait before the next attempt, or undefined if the delivery has failed for good.
 * @param failures failed attempts, including the last one
 * @param askedSeconds the endpoint's `Retry-After`, which is always respected in full
 */
export function retryDelaySeconds(
  failures: number,
  { timeFactor, askedSeconds = 0 }: { timeFactor: number; askedSeconds?: number },
  random = Math.random(),
): number | undefined {
  const delay = DELAYS_SECONDS[failures - 1];
  if (delay === undefined) return undefined;
  return Math.max(askedSeconds, (delay * (1 - JITTER + 2 * JITTER * random)) / timeFactor);
}

/** An endpoint that has accepted nothing for this long is disabled. */
const GIVE_UP_SECONDS = 5 * 86_400;
const MAX_ALLOWANCE = 16;

/** Called in the transaction that disables an endpoint, to notify its owner. */
export type OnDisabled = (tx: Tx, endpoint: Endpoint) => Promise<void>;

type Ended = { sending: ClaimedDelivery; attempt: DeliveryAttempt };

/**
 * `judged`: a failure at an earlier URL of the endpoint says nothing about its present one. It is not counted, and the
 * delivery goes to the present URL at once.
 */
const store = statement<{ ends: string; giveUpSeconds: number }, { id: number; isGone: boolean; isOver: boolean }>(
  "webhooks.record",
  sql`
  with ends as materialized (
    select * from jsonb_to_recordset(${value("ends", "jsonb")}) as e(id uuid, fence int, "isTest" bool, url text, headers json,
      status int, answer text, error text, "durationMs" int, "startedAt" timestamptz, "isGone" bool, "againSeconds" float8)
  ), judged as materialized (
    select e.id, e.fence, e.url, e.error is null as is_taken, e."isGone" as is_gone, e."isTest" as is_test,
      case when w.disabled_at is not null then null when e.url <> w.url and not e."isTest" then 0 else e."againSeconds" end as again,
      case when e.error is null or e.url <> w.url then 0 else 1 end as failures
    from ends e join webhook_deliveries d on d.id = e.id join webhook_endpoints w on w.id = d.endpoint_id
  ), held as (
    update webhook_deliveries d set claim_worker = null, claim_until = null,
      state = case when j.is_taken then 'DELIVERED' when j.again is null then 'FAILED' else 'PENDING' end,
      failures = d.failures + j.failures,
      due_at = case when not j.is_taken then clock_timestamp() + make_interval(secs => j.again) end,
      ended_at = case when j.is_taken or j.again is null then clock_timestamp() end
    from judged j
    where d.id = j.id and d.claim_fence = j.fence and d.claim_worker is not null
    returning d.id, d.endpoint_id, j.url, j.is_taken, j.is_gone, j.is_test
  ), logged as (
    insert into webhook_attempts (delivery_id, url, headers, status, answer, error, duration_ms, started_at)
    select e.id, e.url, e.headers, e.status, e.answer, e.error, e."durationMs", e."startedAt"
    from ends e join held on held.id = e.id
  ), moods as (
    select endpoint_id, url, bool_or(is_taken) as has_taken, bool_or(not is_taken) as has_failed, bool_or(is_gone) as is_gone
    from held where is_taken or is_gone or not is_test group by endpoint_id, url
  )
  update webhook_endpoints w set
    failing_since = case when m.has_taken then null else coalesce(w.failing_since, clock_timestamp()) end,
    allowance = case when m.has_failed then 1 else least(w.allowance * 2, ${sql.raw(String(MAX_ALLOWANCE))}) end
  from moods m
  where w.id = m.endpoint_id and w.url = m.url and (m.has_failed or w.failing_since is not null or w.allowance < ${sql.raw(String(MAX_ALLOWANCE))})
  returning w.id::float8 as id, m.is_gone as "isGone", w.failing_since is not null and
    w.failing_since < clock_timestamp() - make_interval(secs => ${value("giveUpSeconds", "float8")}) as "isOver"`,
);

/**
 * Records attempts in batches of those that end at the same moment: updates the deliveries, logs the attempts, and tracks
 * each endpoint's health. Only attempts at the endpoint's present URL count for its health. An attempt whose claim was lost
 * is not recorded, because the new holder of the claim sends it again.
 */
export function attemptRecorder(onDisabled: OnDisabled): (ended: Ended) => Promise<void> {
  return batch(async (all: Ended[]) => {
    const ends = all.map(endOf);
    await db.transaction(async (tx) => {
      const giveUpSeconds = GIVE_UP_SECONDS / env.timeFactor;
      const touched = await store(tx, { ends: JSON.stringify(ends), giveUpSeconds });
      for (const { id, isGone } of touched.filter((one) => one.isGone || one.isOver)) {
        const reason = isGone
          ? "The endpoint answered 410 Gone, which means that it wants no more events"
          : "No event could be delivered to the endpoint for five days";
        const disabled = await disableEndpoint(tx, id, reason);
        if (disabled) await onDisabled(tx, disabled);
      }
    });
    for (const { error, againSeconds } of ends)
      countDeliveryAttempt(error === null ? "delivered" : againSeconds === undefined ? "failed" : "retrying");
    return all.map(() => undefined);
  });
}

function endOf({ sending, attempt: { retryAfterSeconds: askedSeconds, ...attempt } }: Ended) {
  const { id, fence, isTest, failures, at: startedAt } = sending;
  const isAgain = attempt.error !== null && !isTest && !attempt.isGone;
  const againSeconds = isAgain
    ? retryDelaySeconds(failures + 1, { timeFactor: env.timeFactor, askedSeconds })
    : undefined;
  return { ...attempt, id, fence, isTest, startedAt, againSeconds };
}
