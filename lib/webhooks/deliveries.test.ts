import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, events, webhookDeliveries, webhookEndpoints } from "../db";
import { as, newOwner, readResponse } from "../testing";
import { emit } from ".";

test("a page of very long deliveries is shorter than its limit, so that it does not delay other requests, and the next one continues", async () => {
  const owner = await newOwner();
  const client = as(owner);
  const given = { url: "https://example.com/hook", events: ["post.scheduled"] };
  const [, { id }] = (await readResponse(client.post("/v1/webhooks", given))) as [number, { id: string }];
  const [endpoint] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.ownerId, owner));
  if (!endpoint) throw new Error("the webhook was not stored");
  const text = "a".repeat(1_000_000);
  for (let n = 1; n <= 9; n++) await emit(db, [{ ownerId: owner, type: "post.scheduled", data: { n, text } }]);
  const written = await db.select().from(events).where(eq(events.ownerId, owner));
  await db
    .insert(webhookDeliveries)
    .values(written.map((event) => ({ endpointId: endpoint.id, eventXid: event.xid, eventId: event.id })));
  type Page = { items: { id: string }[]; nextCursor: string | null };
  const page = async (cursor = "") =>
    (await readResponse(client.get(`/v1/webhooks/${id}/deliveries?limit=100${cursor}`))) as [number, Page];
  const [status, first] = await page();
  const [, second] = await page(`&cursor=${first.nextCursor}`);
  expect([status, first.items.length, second.items.length, second.nextCursor]).toEqual([200, 8, 1, null]);
  expect(new Set([...first.items, ...second.items].map((one) => one.id)).size).toBe(9);
});
