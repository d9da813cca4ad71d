import { z } from "zod";
import type { Tx } from "../db";
import { enqueue, type JobKind } from "./job";

/** A job as a value: what somebody lower enqueues when they are done, without knowing what it does. */
export type JobRef = { name: string; payload: unknown };

const Stored = z.object({ name: z.string(), payload: z.unknown() });

export function refTo<P>(job: JobKind<P>, payload: P): JobRef {
  return { name: job.name, payload };
}

/** Enqueues a job that was handed over and kept as JSON; null is none. */
export async function enqueueRef(tx: Tx, ref: unknown): Promise<void> {
  if (ref === null) return;
  const { name, payload } = Stored.parse(ref);
  await enqueue(tx, { name, payload: z.unknown() }, payload);
}
