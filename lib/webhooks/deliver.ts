import { eq, sql } from "drizzle-orm";
import { type Tx, webhookDeliveries } from "../db";
import type { Duty } from "../jobs";
import { failPoint } from "../jobs/fail-point";
import { log } from "../log";
import { PLACES, type Sending, takeDeliveries } from "./pick";
import { type OnDisabled, recorder } from "./record";
import { send } from "./send";

const IDLE_MS = 200;
/** Where there was something there is often more. */
const MORE_MS = 20;
const STUMBLED_MS = 1_000;

/** Sends what is due, as long as a worker process runs; stopping lets what is under way end. */
export function deliveries({ onDisabled = async () => {} }: { onDisabled?: OnDisabled } = {}): Duty {
  const record = recorder(onDisabled);
  return {
    name: "webhooks",
    start(worker) {
      const running = new Map<Sending, Promise<void>>();
      let isStopped = false;
      let timer: NodeJS.Timeout | undefined;
      let current = Promise.resolve();

      async function deliver(sending: Sending): Promise<void> {
        try {
          await failPoint("taken");
          const attempt = await send(sending);
          await failPoint("sent");
          await record({ sending, attempt });
        } catch (error) {
          // Its claim runs out, and it is sent again.
          log.warn({ delivery: sending.id, error: String(error) }, "a webhook stumbled");
        }
      }

      async function look(): Promise<number> {
        const failing = [...running.keys()].filter(({ isFailing }) => isFailing).length;
        const free = { failing: PLACES.failing - failing, well: PLACES.well - (running.size - failing) };
        const taken = await takeDeliveries(worker, free);
        for (const sending of taken)
          running.set(
            sending,
            deliver(sending).finally(() => running.delete(sending)),
          );
        return taken.length > 0 ? MORE_MS : IDLE_MS;
      }

      const after = (ms: number) => {
        if (isStopped) return;
        timer = setTimeout(() => {
          current = look()
            .catch((error: unknown) => {
              log.warn({ error: String(error) }, "looking for webhooks that are due failed");
              return STUMBLED_MS;
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

/** What a worker that has died was sending is free again, and due. */
export async function releaseDeliveries(tx: Tx, workerId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ leaseWorker: null, leaseUntil: null, dueAt: sql`clock_timestamp()` })
    .where(eq(webhookDeliveries.leaseWorker, workerId));
}
