import { AccessDenied, Unauthorized } from "../../errors";
import { json } from "../../http/json";
import { BeingDeleted, sessionOf } from "../../users";
import { endOfLog } from "../../webhooks";
import { join, leave, streamsOf } from "./hub";
import { messageOf, openBody, placeOf, type Stream } from "./stream";

/** A dashboard holds one while it is in view; more than a few belong to nobody who looks. */
const MOST = 6;
const RETRY_MS = 2_000;

/**
 * What happens to the signed-in person's things, as it happens: the kinds of events, not the things, which the dashboard
 * asks for itself. Begins after the browser's `Last-Event-ID`; else at this moment, which the first message says.
 * @throws Unauthorized, AccessDenied, BeingDeleted as every call by a session does
 */
export async function answerLive(request: Request): Promise<Response> {
  const session = await sessionOf(request.headers);
  if (!session) throw new Unauthorized();
  if (session.user.suspended) throw new AccessDenied();
  if (session.user.deleting) throw new BeingDeleted();
  const ownerId = session.user.id;
  const last = placeOf(request.headers.get("last-event-id"));
  const place = last ?? (await endOfLog());
  if (streamsOf(ownerId).length >= MOST) {
    return json(
      { message: `Too many streams: at most ${MOST} at once` },
      { status: 429, headers: { "retry-after": "60" } },
    );
  }
  if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
  const { body, write, close } = openBody(() => leave(stream));
  const headers = new Headers({ cookie: request.headers.get("cookie") ?? "" });
  const stream: Stream = { ownerId, sessionId: session.id, headers, place, write, close };
  write(`retry: ${RETRY_MS}\n\n`);
  if (!last) write(messageOf("open", place));
  join(stream);
  return new Response(body, { headers: HEADERS });
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no", // nginx would hold it back until it has enough
};
