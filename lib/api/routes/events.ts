import { z } from "zod";
import { endOfLog, presentLogEntry, readLog } from "../../webhooks";
import { cursorOf, limitParam, sinceParam } from "../page";
import { route } from "../route";
import { EventPage } from "../shapes";
import { eventExample } from "./examples";

/** A transaction's id (64 bits) and the event's own. */
const LogPlace = z.tuple([z.string().regex(/^\d{1,19}$/), z.number().int().min(0)]);

export const listEventsRoute = route({
  method: "get",
  path: "/v1/events",
  summary: "List events, oldest first",
  description:
    "Every event of the last 30 days, whether or not a webhook subscribes to it. Start without `since`, or with `now` for new events, and pass `nextCursor` to the next call. The same `since` always returns the same events, and no event ever appears before a returned cursor. A partner that names no user gets the events of all its users.",
  scope: "webhooks.write",
  orPartner: true,
  query: z.object({ since: sinceParam(LogPlace), limit: limitParam }),
  answers: { 200: EventPage },
  examples: [{ query: { limit: "20" }, answer: { items: [eventExample], nextCursor: "WyI4MTIiLDFd", hasMore: false } }],
  async handle({ subscriber, query: { since, limit } }) {
    const from = since === "now" ? await endOfLog() : since;
    const { items, place, hasMore } = await readLog(subscriber, { since: from, limit });
    return Response.json({ items: items.map(presentLogEntry), nextCursor: cursorOf(place), hasMore });
  },
});
