import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, eventReaders, type Tx } from "../db";
import { listenOn } from "../db/listen";
import { startWorker } from "../jobs";
import { as, newOwner, readResponse } from "../testing";
import { delivered, newWebhookReceiver, withReceivers } from "../testing/webhooks";
import { deliverWebhooks, releaseDeliveries, untilNextDeliveryLook } from "./deliver";
import { emit } from "./emit";
import { type EventReader, type ReaderMemory, readerLoops, readOrRest } from "./reader";

const REST_MS = 5_000;
const OFTEN_MS = 200;
/** Longer than any test, so that only a notification can end such a rest. */
const HOUR_MS = 3_600_000;

const tell = (tx: Tx, ownerId: string) => emit(tx, [{ ownerId, type: "post.scheduled", data: {} }]);
const ignoring: EventReader["handle"] = async () => {};

/** A position after all events. A worker of another test that starts moves it to the beginning, as after a restore. */
const END = { xid: "9223372036854775807" };

/** A reader that has read everything and has found no event for a while. */
async function quietReader(): Promise<{ reader: EventReader; memory: ReaderMemory; restXid(): Promise<unknown> }> {
  const reader = { name: `test ${randomUUID()}`, handle: ignoring };
  await db.insert(eventReaders).values({ name: reader.name, ...END });
  const restXid = async () =>
    (await db.select().from(eventReaders).where(eq(eventReaders.name, reader.name)))[0]?.restXid;
  return { reader, memory: { emptyLooks: 100 }, restXid };
}

/** Looks until no transaction of another test prevents the rest. */
async function untilRest(reader: EventReader, memory: ReaderMemory): Promise<void> {
  const look = async () => {
    await db.update(eventReaders).set(END).where(eq(eventReaders.name, reader.name));
    memory.emptyLooks = 100;
    return readOrRest(reader, memory, true);
  };
  await expect.poll(look, { timeout: 45_000 }).toBe(REST_MS);
}

describe("a reader", () => {
  test("does not rest while a transaction is open that began before its rest and may write an event unannounced", async () => {
    const owner = await newOwner();
    const { reader, memory } = await quietReader();
    await db.transaction(async (tx) => {
      await tell(tx, owner);
      expect(await readOrRest(reader, memory, true)).toBe(0);
      expect(await readOrRest(reader, memory, true)).toBe(OFTEN_MS);
      expect(await readOrRest(reader, memory, true)).toBe(OFTEN_MS);
    });
    await untilRest(reader, memory);
    await db.delete(eventReaders).where(eq(eventReaders.name, reader.name));
  });

  test("does not rely on an earlier rest that another process has ended in the meantime", async () => {
    const owner = await newOwner();
    const { reader, memory } = await quietReader();
    const mine = eq(eventReaders.name, reader.name);
    await untilRest(reader, memory);
    await db.update(eventReaders).set({ restXid: null }).where(mine);
    await db.transaction(async (tx) => {
      await tell(tx, owner);
      await readOrRest(reader, { emptyLooks: 100 }, true);
      expect(await readOrRest(reader, memory, true)).toBe(OFTEN_MS);
    });
    await db.delete(eventReaders).where(mine);
  });

  test("looks often while the process gets no notifications, and after an event", async () => {
    const { reader, memory, restXid } = await quietReader();
    expect(await readOrRest(reader, memory, false)).toBe(OFTEN_MS);
    expect(await readOrRest(reader, { emptyLooks: 0 }, true)).toBe(OFTEN_MS);
    expect(await restXid()).toBeNull();
    await db.delete(eventReaders).where(eq(eventReaders.name, reader.name));
  });
});

test("an event notifies if a reader rests", async () => {
  const owner = await newOwner();
  const { reader, memory } = await quietReader();
  const notice = vi.fn();
  const { isListening } = listenOn("events_written", { notice, lost() {} });
  await expect.poll(isListening, { timeout: 45_000 }).toBe(true);
  await readOrRest(reader, memory, true);
  const before = notice.mock.calls.length;
  await tell(db, owner);
  await expect.poll(() => notice.mock.calls.length, { timeout: 45_000 }).toBeGreaterThan(before);
  await db.delete(eventReaders).where(eq(eventReaders.name, reader.name));
});

test("a notification ends the rest of a reader", async () => {
  const owner = await newOwner();
  const handled: string[] = [];
  const handle: EventReader["handle"] = async (_, events) => void handled.push(...events.map(({ ownerId }) => ownerId));
  const name = `test ${randomUUID()}`;
  const [loop] = readerLoops([{ name, handle }], HOUR_MS);
  const stopping = new AbortController();
  let turns = 0;
  const running = (async () => {
    for (; !stopping.signal.aborted; turns++) await loop?.turn(stopping.signal);
  })();
  try {
    let turnsBefore = -1;
    const isResting = () => {
      const isSame = turns === turnsBefore;
      turnsBefore = turns;
      return isSame;
    };
    await expect.poll(isResting, { interval: 1_000 }).toBe(true);
    await tell(db, owner);
    await expect.poll(() => handled).toContain(owner);
  } finally {
    stopping.abort();
    await running;
    await db.delete(eventReaders).where(eq(eventReaders.name, name));
  }
});

describe("the next look for deliveries, after one that claimed none", () => {
  test.each([
    ["nothing is due", true, null, REST_MS],
    ["the next one is due in 4,200 ms", true, 4_200, 4_200],
    ["the next one is due in an hour", true, 3_600_000, REST_MS],
    ["some are due but cannot be claimed", true, -3, OFTEN_MS],
    ["nothing is due and the process gets no notifications", false, null, OFTEN_MS],
    ["the next one is due in 30 ms and the process gets no notifications", false, 30, 30],
  ])("%s", (_, isListening, nextMs, wait) => expect(untilNextDeliveryLook(isListening, nextMs)).toBe(wait));
});

describe("a worker at rest", () => {
  const receiver = withReceivers(7);
  beforeAll(async () => {
    const worker = await startWorker({
      ...{ jobs: [], loops: [], duties: [deliverWebhooks({ restMs: HOUR_MS })], releaseClaims: releaseDeliveries },
    });
    return () => worker.stop();
  });

  test("sends a delivery as soon as it is stored, and again as soon as it is requested", async () => {
    const { url, received } = receiver();
    const client = as(await newOwner());
    const { id } = await newWebhookReceiver(client, url, ["post.scheduled"]);
    await readResponse(client.post(`/v1/webhooks/${id}/test`, {}));
    await received(1);
    const { id: deliveryId } = await delivered(client, id, { state: "DELIVERED" });
    await readResponse(client.post(`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`, {}));
    await received(2);
  });
});
