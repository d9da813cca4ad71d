import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { shareTransaction, type Tx, webhookDeliveries, webhookEndpoints } from "../db";
import { DELIVERY_PICK_LOCK } from "../db/locks";
import { newOwner } from "../testing";
import { claimDeliveries } from "./claim";
import { sealSecret } from "./secret";

class Undone extends Error {}

/** Runs work with the claim lock held in a transaction that is rolled back, so that no one else sees its deliveries. */
async function asOnlyPicker(work: (tx: Tx) => Promise<void>): Promise<void> {
  const done = shareTransaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(DELIVERY_PICK_LOCK))})`);
    await tx.execute(sql`
      update webhook_deliveries set due_at = 'infinity' where id in (
        select id from webhook_deliveries where due_at <= now() for update skip locked)`);
    await work(tx);
    throw new Undone();
  });
  await expect(done).rejects.toBeInstanceOf(Undone);
}

/** An endpoint with this many deliveries that have been due for years, longer than those of other tests. */
async function endpointOf(tx: Tx, ownerId: string, waiting: { count: number; since: number; isFailing?: boolean }) {
  const { count, since, isFailing } = waiting;
  const dueAt = `${since}-01-01T00:00:00Z`;
  const values = { ownerId, url: "https://hooks.example/a", events: [], secretSealed: sealSecret(1, "whsec_AAAA") };
  const more = { allowance: isFailing ? 1 : 16, failingSince: isFailing ? dueAt : null };
  const [row] = await tx
    .insert(webhookEndpoints)
    .values({ ...values, ...more })
    .returning();
  if (!row) throw new Error("the endpoint was not stored");
  await tx.insert(webhookDeliveries).values(Array.from({ length: count }, () => ({ endpointId: row.id, dueAt })));
  return row.id;
}

const worker = () => ({ id: randomUUID(), assertAlive() {} });

async function taken(free: { well: number; failing: number }): Promise<number[]> {
  return (await claimDeliveries(worker(), free)).map(({ endpointId }) => endpointId);
}

test("every owner's first delivery comes before anyone's second, however long that one has waited", async () => {
  const [large, small] = [await newOwner(), await newOwner()];
  await asOnlyPicker(async (tx) => {
    const flood: number[] = [];
    for (let n = 0; n < 3; n++) flood.push(await endpointOf(tx, large, { count: 16, since: 2001 }));
    const few = await endpointOf(tx, small, { count: 1, since: 2002 });
    const [first, second] = [await taken({ well: 1, failing: 1 }), await taken({ well: 1, failing: 1 })];
    expect([flood.includes(first[0] ?? 0), second]).toEqual([true, [few]]);
  });
});

test("within an owner, every endpoint's first delivery comes before any endpoint's second", async () => {
  const owner = await newOwner();
  await asOnlyPicker(async (tx) => {
    const busy = await endpointOf(tx, owner, { count: 16, since: 2001 });
    const quiet = await endpointOf(tx, owner, { count: 1, since: 2002 });
    const all = await taken({ well: 2, failing: 0 });
    expect(all.sort()).toEqual([busy, quiet].sort());
  });
});

test("one owner gets at most 24 of a process's places", async () => {
  const owner = await newOwner();
  await asOnlyPicker(async (tx) => {
    const flood: number[] = [];
    for (let n = 0; n < 3; n++) flood.push(await endpointOf(tx, owner, { count: 16, since: 2001 }));
    const all = await taken({ well: 160, failing: 48 });
    expect(all.filter((id) => flood.includes(id))).toHaveLength(24);
  });
});

test("failing endpoints take no places of healthy ones", async () => {
  const [failing, well] = [await newOwner(), await newOwner()];
  await asOnlyPicker(async (tx) => {
    const broken = await endpointOf(tx, failing, { count: 5, since: 2001, isFailing: true });
    const good = await endpointOf(tx, well, { count: 1, since: 2002 });
    expect(await taken({ well: 1, failing: 0 })).toEqual([good]);
    expect(await taken({ well: 0, failing: 1 })).toEqual([broken]);
    expect(await taken({ well: 0, failing: 1 })).not.toContain(broken); // one call at a time
  });
});
