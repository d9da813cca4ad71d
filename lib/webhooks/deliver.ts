import { eq, sql } from "drizzle-orm";
import { type Tx, webhookDeliveries } from "../db";
import { statement, value } from "../db/statement";
import type { BackgroundTask } from "../jobs";
import { failPoint } from "../jobs/fail-point";
import { log } from "../log";
import { traced } from "../tracing";
import { type ClaimedDelivery, CONCURRENCY, claimDeliveries } from "./claim";
import "./figures";
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

/** Creates a delivery of each event for each endpoint that subscribes to its type. */
export const fanOut = defineReader({
  name: "webhooks",
  async handle(tx: Tx, events: WrittenEvent[]) {
    await createDeliveries(tx, { events: JSON.stringify(events.map(({ data: _, ...event }) => event)) });
    await failPoint("addressed");
  },
});

const IDLE_MS = 200;
/** After a look that found work, more is likely, so the next look follows sooner. */
const BUSY_MS = 20;
const ERROR_WAIT_MS = 1_000;

/** Sends due deliveries while a worker process runs. Stopping waits for the deliveries in progress. */
export function deliverWebhooks({ onDisabled = async () => {} }: { onDisabled?: OnDisabled } = {}): BackgroundTask {
  const record = attemptRecorder(onDisabled);
  return {
    name: "webhooks",
    start(worker) {
      const running = new Map<ClaimedDelivery, Promise<void>>();
      let isStopped = false;
      let timer: NodeJS.Timeout | undefined;
      let current = Promise.resolve();

      async function deliver(sending: ClaimedDelivery): Promise<void> {
        try {
          await failPoint("taken");
          const attempt = await traceDelivery(sending);
          await failPoint("sent");
          await record({ sending, attempt });
        } catch (error) {
          // The claim expires, and another attempt follows.
          log.warn(
            { delivery: sending.id, error: String(error) },
            "a webhook could not be sent or recorded; it is sent again when its claim expires",
          );
        }
      }

      async function look(): Promise<number> {
        const failing = [...running.keys()].filter(({ isFailing }) => isFailing).length;
        const free = { failing: CONCURRENCY.failing - failing, well: CONCURRENCY.well - (running.size - failing) };
        const taken = await claimDeliveries(worker, free);
        for (const sending of taken)
          running.set(
            sending,
            deliver(sending).finally(() => running.delete(sending)),
          );
        return taken.length > 0 ? BUSY_MS : IDLE_MS;
      }

      const after = (ms: number) => {
        if (isStopped) return;
        timer = setTimeout(() => {
          current = look()
            .catch((error: unknown) => {
              log.warn({ error: String(error) }, "claiming due webhook deliveries failed");
              return ERROR_WAIT_MS;
            })
            .then(after);
        }, ms);
      };
      after(0);
      return {
        async stop() {
          isStopped = true;
          clearTimeout(timer);
          await current;
          await Promise.all(running.values());
        },
      };
    },
  };
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
