import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, eventReaders, events, type Tx } from "../db";
import { newOwner, newPartner, readResponse } from "../testing";
import { emit } from "./emit";
import { moveRestoredEvents, readLog } from "./log";
import { type EventReader, readNextBatch } from "./reader";
import type { WrittenEvent } from "./types";

/** A new reader of the whole log that records the events of one owner. */
function readerOf(ownerId: string, also: (tx: Tx, events: WrittenEvent[]) => Promise<void> = async () => {}) {
  const had: unknown[] = [];
  const reader: EventReader = {
    name: `test ${randomUUID()}`,
    async handle(tx, batch) {
      const mine = batch.filter((event) => event.ownerId === ownerId);
      await also(tx, mine);
      had.push(...mine.map(({ data }) => data.n));
    },
  };
  /** Other test files have open transactions, so new events may become visible a moment later. */
  const readAll = async () => {
    while ((await readNextBatch(reader)) > 0);
    return had;
  };
  return { reader, readAll };
}

const tell = (tx: Tx, ownerId: string, n: number) => emit(tx, [{ ownerId, type: "post.scheduled", data: { n } }]);

/** A transaction that has emitted an event and stays open until it is released. */
async function opened(ownerId: string, n: number) {
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const over = db.transaction(async (tx) => {
    await tell(tx, ownerId, n);
    begun();
    await held;
  });
  await hasBegun;
  return async () => {
    end();
    await over;
  };
}

describe("a reader", () => {
  test("never skips an event, in whichever order transactions commit", async () => {
    const owner = await newOwner();
    const { readAll } = readerOf(owner);
    await tell(db, owner, 1);
    const endOlder = await opened(owner, 2);
    const endNewer = await opened(owner, 3);
    await endNewer();
    await expect.poll(readAll).toEqual([1]);
    await endOlder();
    await expect.poll(readAll).toEqual([1, 2, 3]);
  });

  test("gets the same events again after an error, and its changes are rolled back", async () => {
    const owner = await newOwner();
    let isBroken = true;
    const { reader, readAll } = readerOf(owner, async (tx, mine) => {
      if (mine.length === 0) return;
      await tx.delete(events).where(eq(events.ownerId, owner));
      if (isBroken) throw new Error("broken");
    });
    await tell(db, owner, 1);
    await expect.poll(() => readAll().catch(String)).toBe("Error: broken");
    await expect(readNextBatch(reader)).rejects.toThrow("broken");
    isBroken = false;
    expect(await readAll()).toEqual([1]);
    expect(await db.select().from(events).where(eq(events.ownerId, owner))).toEqual([]);
  });

  test("in several processes handles each event once", async () => {
    const owner = await newOwner();
    const { reader, readAll } = readerOf(owner);
    for (let n = 1; n <= 20; n++) await tell(db, owner, n);
    await Promise.all(Array.from({ length: 8 }, () => readNextBatch(reader)));
    await expect.poll(readAll).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test("gets the partner's identifier of the owner", async () => {
    const partner = await newPartner();
    const [, user] = await readResponse(partner.post("/v1/connect/users", { externalUserId: "ada, 1", name: "Ada" }));
    const { uuid } = user as { uuid: string };
    const seen: WrittenEvent[] = [];
    const { readAll } = readerOf(uuid, async (_, mine) => void seen.push(...mine));
    await tell(db, uuid, 1);
    await expect.poll(readAll).toHaveLength(1);
    expect(seen).toMatchObject([{ ownerId: uuid, externalUserId: "ada, 1", partnerId: expect.any(String) }]);
  });
});

test("more events of a dump than fit into a batch are moved by two processes at once, and each waits for all of them", async () => {
  const owner = await newOwner();
  await db.execute(sql`insert into events (xid, owner_id, type, data)
    select (9000000000000000000 + n)::text::xid8, ${owner}, 'post.scheduled', json_build_object('n', n) from generate_series(1, 6000) n`);
  const left = async () => {
    await moveRestoredEvents();
    const { rows } = await db.execute(
      sql`select count(*)::int as n from events where xid::text::numeric > 8000000000000000000`,
    );
    return rows;
  };
  expect(await Promise.all([left(), left()])).toEqual([[{ n: 0 }], [{ n: 0 }]]);
  expect((await readLog({ ownerId: owner }, { limit: 3 })).items.map(({ data }) => data.n)).toEqual([1, 2, 3]);
  await db.execute(sql`delete from events where owner_id = ${owner}`);
});

test("events of a dump with future transaction IDs are shown at the beginning", async () => {
  const owner = await newOwner();
  await tell(db, owner, 1);
  const future = "9000000000000000000";
  await db.insert(events).values({ xid: future, ownerId: owner, type: "post.scheduled", data: { n: 0 } });
  const numbers = async (since?: [string, number]) =>
    (await readLog({ ownerId: owner }, { since, limit: 10 })).items.map(({ data }) => data.n);
  await expect.poll(() => numbers()).toEqual([1]);
  await moveRestoredEvents();
  expect(await numbers()).toEqual([0, 1]);
  const [restored] = (await readLog({ ownerId: owner }, { limit: 1 })).items;
  expect(await numbers([future, restored?.id ?? 0])).toEqual([1]);
});

test("a look that finds nothing waits for no other reader of the same name and takes no lock", async () => {
  const { reader } = readerOf(await newOwner());
  await db.insert(eventReaders).values({ name: reader.name, xid: "9223372036854775807", id: 0 });
  await db.transaction(async (tx) => {
    await tx.select().from(eventReaders).where(eq(eventReaders.name, reader.name)).for("update");
    expect(await readNextBatch(reader)).toBe(0);
  });
});
