import { sql } from "drizzle-orm";
import { db, installation, type Tx } from "../db";
import { readMarks } from "./copies";
import type { Mark } from "./mark";
import { readCluster, readState } from "./state";

/** Most rows that one announced call can have caused: its attempts, steps, events and deliveries. */
const IDS_PER_CALL = 1_000;
const LEAST_IDS = 100_000;

/**
 * Moves every sequence ahead, so that no ID is issued again that was issued after the backup was taken and that clients may
 * have stored. How many IDs were issued is unknown. The copies of the counts say how many calls are missing, and each call
 * accounts for at most a thousand rows. A fixed number covers requests that published nothing.
 */
export async function advanceSequences(tx: Tx = db): Promise<void> {
  const { mark } = await readState(tx);
  await advanceBeyond(mark, await readMarks(mark.installationId), tx);
}

/** The same, with the counts of the database and the copies that were read already. */
export async function advanceBeyond(mark: Mark, copies: Mark[], tx: Tx): Promise<void> {
  const missing = Math.max(0, ...copies.map(({ published }) => published - mark.published));
  const ahead = LEAST_IDS + missing * IDS_PER_CALL;
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass,
      least(coalesce(last_value, 1) + case when data_type = 'bigint'::regtype then ${ahead}::bigint else ${LEAST_IDS}::bigint end, max_value))
    from pg_sequences where schemaname = 'public'`);
}

/** Ends the hold: this database is the truth from now on, and the copies of the counts from before say nothing about it. */
export async function endHold(): Promise<void> {
  const { systemIdentifier, timeline } = await readCluster();
  const { mark } = await readState();
  const copies = await readMarks(mark.installationId);
  const epoch = Math.max(mark.epoch, ...copies.map((copy) => copy.epoch)) + 1;
  await db.update(installation).set({
    ...{ epoch, systemIdentifier, timeline },
    ...{ heldAt: null, heldReason: null, heldSincePoint: null, heartbeatAt: sql`clock_timestamp()` },
  });
}
