import { eq, type SQL, sql } from "drizzle-orm";
import { webhookEndpoints } from "../db";

/** Whose endpoints and events: one user's, or a partner's own, which are told of all its users. */
export type Subscriber = { ownerId: string } | { partnerId: string };

export const isEndpointOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber
    ? eq(webhookEndpoints.ownerId, subscriber.ownerId)
    : eq(webhookEndpoints.partnerId, subscriber.partnerId);

/** SQL about a row `e` of events. */
export const isEventOf = (subscriber: Subscriber): SQL =>
  "ownerId" in subscriber ? sql`e.owner_id = ${subscriber.ownerId}` : sql`e.partner_id = ${subscriber.partnerId}`;
