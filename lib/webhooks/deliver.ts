import { eq, sql } from "drizzle-orm";
import { db, type Tx, webhookDeliveries } from "../db";
import { listenOn } from "../db/listen";
import { statement, value } from "../db/statement";
import { type BackgroundTask, pollingLoop } from "../jobs";
import { failPoint } from "../jobs/fail-point";
import { log } from "../log";
import { defineGauges } from "../metrics";
import { traced } from "../tracing";
import { type ClaimedDelivery, CONCURRENCY, claimDeliveries, untilNextDelivery } from "./claim";
import { holdWebhooksWithoutConsent } from "./endpoints";
import { defineReader } from "./reader";
import { attemptRecorder, type OnDisabled } from "./record";
import { type DeliveryAttempt, sendDelivery } from "./send";
import type { WrittenEvent } from "./types";

const createDeliveries = statement<{ events: string }, never>(
  "webhooks.address",
  sql`
  insert into webhook_deliveries (endpoint_id, event_xid, event_id, due_at)
  select w.id, e.xid, e.id, clock_timestamp()
  from jsonb_to_recordset(${value("events", "jsonb")})
      as e(xid xid8, id bigint, type text, "ownerId" uuid, "partnerId" uuid, "createdAt" timestamptz)
    join webhook_endpoints w on w.owner_id = e."ownerId" or w.partner_id = e."partnerId"
  where w.disabled_at is null and w.created_at <= e."createdAt" and e.type = any(w.events)
  on conflict do nothing`,
);

/** Creates a delivery of each event for each endpoint that subscribes to its type. An application's endpoint ends with its consent. */
export const fanOut = defineReader({
  name: "webhooks",
  async handle(tx: Tx, events: WrittenEvent[]) {
    await holdWebhooksWithoutConsent(tx, [...new Set(events.flatMap(({ ownerId }) => ownerId ?? []))]);
    await createDeliveries(tx, { events: JSON.stringify(events.map(({ data: _, ...event }) => event)) });
    await failPoint("addressed");
  },
});

/** After a look that found work, more is likely, so the next look follows soon. */
const BUSY_MS = 20;
/** While due deliveries cannot be claimed, or while the process gets no notifications. */
const OFTEN_MS = 200;
/** While nothing is due and a notification announces each delivery that becomes due, except those that the last look knew. */
const REST_MS = 5_000;

/**
 * Sends due deliveries while a worker process runs. Stopping waits for the deliveries in progress.
 * @param options `restMs`: how long it rests while nothing is due and no notification arrives
 */
export function deliverWebhooks({
  onDisabled = async () => {},
  restMs = REST_MS,
}: {
  onDisabled?: OnDisabled;
  restMs?: number;
} = {}): BackgroundTask {
  const record = attemptRecorder(onDisabled);
  return {
    name: "webhooks",
    start(worker) {
      const running = new Map<ClaimedDelivery, Promise<void>>();
      const looks = pollingLoop("claiming due webhook deliveries", async () => {
        const isListening = notices.isListening();
        const failing = [...running.keys()].filter(({ isFailing }) => isFailing).length;
        const free = { failing: CONCURRENCY.failing - failing, well: CONCURRENCY.well - (running.size - failing) };
        const taken = await claimDeliveries(worker, free);
        for (const sending of taken)
          running.set(
            sending,
            deliver(sending).finally(() => running.delete(sending)),
          );
        return taken.length > 0 ? BUSY_MS : untilNextDeliveryLook(isListening, await untilNextDelivery(), restMs);
      });
      const notices = listenOn("deliveries_due", { notice: looks.soon, lost: looks.soon });

      async function deliver(sending: ClaimedDelivery): Promise<void> {
        try {
          await failPoint("taken");
          const attempt = await traceDelivery(sending);
          await failPoint("sent");
          await record({ sending, attempt });
          if (attempt.error !== null) looks.soon(); // it may be due again before the next look
        } catch (error) {
          // The claim expires, and another attempt follows.
          log.warn(
            { delivery: sending.id, error: String(error) },
            "a webhook could not be sent or recorded; it is sent again when its claim expires",
          );
        }
      }

      looks.soon();
      return {
        async stop() {
          await looks.stop();
          await Promise.all(running.values());
        },
      };
    },
  };
}

/**
 * Returns the milliseconds until the next look for deliveries after one that claimed none.
 * @param nextMs until the next one is due; zero or less if some are due but cannot be claimed; null if there is none
 */
export function untilNextDeliveryLook(isListening: boolean, nextMs: number | null, restMs = REST_MS): number {
  if (nextMs !== null && nextMs <= 0) return OFTEN_MS;
  return Math.min(isListening ? restMs : OFTEN_MS, nextMs ?? restMs);
}

/** Sends a delivery as part of the trace of the request that it is about. */
function traceDelivery(sending: ClaimedDelivery): Promise<DeliveryAttempt> {
  const { id: delivery, endpointId: endpoint, traceparent } = sending;
  const attributes = { "carillon.delivery": delivery };
  return traced("deliver webhook", { kind: "client", parent: traceparent ?? undefined, attributes }, async (note) => {
    const attempt = await sendDelivery(sending);
    if (attempt.status) note({ "http.response.status_code": attempt.status });
    log.info({ delivery, endpoint, status: attempt.status, error: attempt.error }, "a webhook was sent");
    return attempt;
  });
}

/** Releases the deliveries of a dead worker and makes them due now. */
export async function releaseDeliveries(tx: Tx, workerId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ claimWorker: null, claimUntil: null, dueAt: sql`clock_timestamp()` })
    .where(eq(webhookDeliveries.claimWorker, workerId));
}

/** Deliveries that are counted at most. */
const COUNTED = 10_000;

/** The figures of events and webhooks for `/metrics`. Each query reads an index and a limited number of rows. */
defineGauges(
  {
    carillon_event_reader_lag_seconds: {
      help: "The age of the oldest event that a reader of the event log has not handled.",
      labelNames: ["reader"],
    },
    carillon_webhook_deliveries_pending: {
      help: `Webhook deliveries that are due or wait for another attempt. At most ${COUNTED} are counted.`,
    },
  },
  async () => {
    const [lags, pending] = await Promise.all([
      db.execute<{ reader: string; value: number }>(sql`
        select r.name as reader, coalesce(extract(epoch from now() - (select e.created_at from events e
          where (e.xid, e.id) > (r.xid, r.id) order by e.xid, e.id limit 1)), 0)::float8 as value
        from event_readers r`),
      db.execute<{ value: number }>(
        sql`select count(*)::int as value from (select from webhook_deliveries where due_at is not null limit ${COUNTED}) d`,
      ),
    ]);
    return {
      carillon_event_reader_lag_seconds: lags.rows.map(({ reader, value }) => ({
        labels: { reader },
        value: Math.max(0, value),
      })),
      carillon_webhook_deliveries_pending: pending.rows,
    };
  },
);
