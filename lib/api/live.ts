import { onAccessChanged } from "../db/access";
import { listenOn } from "../db/listen";
import { perProcess } from "../db/per-process";
import { AccessDenied, Unauthorized } from "../errors";
import { json } from "../http/json";
import { log } from "../log";
import { BeingDeleted, sessionOf } from "../users";
import { endOfLog, readLog } from "../webhooks";
import { logPlaceIn, openBody, type Stream, serverSentEvent } from "./event-stream";

/** A dashboard holds one while it is in view; more than a few belong to nobody who looks. */
const MOST_STREAMS = 6;
const RETRY_MS = 2_000;
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no", // nginx would hold it back until it has enough
};

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
  const last = logPlaceIn(request.headers.get("last-event-id"));
  const place = last ?? (await endOfLog());
  if (streamsOf(ownerId).length >= MOST_STREAMS) {
    return json(
      { message: `Too many streams: at most ${MOST_STREAMS} at once` },
      { status: 429, headers: { "retry-after": "60" } },
    );
  }
  if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
  const { body, write, close } = openBody(() => removeStream(stream));
  const headers = new Headers({ cookie: request.headers.get("cookie") ?? "" });
  const stream: Stream = { ownerId, sessionId: session.id, headers, place, write, close };
  write(`retry: ${RETRY_MS}\n\n`);
  if (!last) write(serverSentEvent("open", place));
  addStream(stream);
  return new Response(body, { headers: HEADERS });
}

/** Proxies cut connections that are silent for half a minute or more. */
const HEARTBEAT_MS = 15_000;
/** How often it is looked whether the database is heard, at the beginning and after it was lost. */
const LISTEN_CHECK_MS = 250;
const BATCH = 100;

type Hub = { streams: Set<Stream>; readers: Map<Stream, Promise<void>> };

/** Every stream of this process, whichever bundle opened it; it listens from the first one on. */
const hub = perProcess<Hub>("live.hub", () => ({ streams: new Set(), readers: new Map() }));

export function streamsOf(ownerId: string): Stream[] {
  return [...hub.streams].filter((stream) => stream.ownerId === ownerId);
}

/** From now on this stream is told what happens, from its place on, until it ends. */
export function addStream(stream: Stream): void {
  hub.streams.add(stream);
  startListening();
  sendNewEvents(stream);
}

export function removeStream(stream: Stream): void {
  hub.streams.delete(stream);
}

/** Ends every stream of this process: browsers open them again, at another process or the next one here. */
export function endLiveStreams(): void {
  for (const stream of hub.streams) stream.close();
}

function startListening(): void {
  perProcess("live.listening", () => {
    const live = listenOn("live", { notice: onEventsOf, lost: () => makeUp() });
    // No event of the log: it is for people who look at a dashboard, and whoever misses one asks again within half a minute.
    listenOn("feedback", { notice: onFeedbackFor, lost: () => {} });
    const access = listenOn("access_changed", { notice: onAccessChange, lost: () => {} });
    onAccessChanged(onAccessChange);
    let looking: NodeJS.Timeout | undefined;
    /** Nothing that was announced before it was heard is missing: everybody is looked after as soon as it is. */
    function makeUp(): void {
      clearInterval(looking);
      looking = setInterval(() => {
        if (!live.isLive() || !access.isLive()) return;
        clearInterval(looking);
        sendToAll();
        for (const stream of hub.streams) closeIfSessionEnded(stream);
      }, LISTEN_CHECK_MS).unref();
    }
    makeUp();
    return setInterval(heartbeat, HEARTBEAT_MS).unref();
  });
}

function onEventsOf(owners: string): void {
  const told = new Set(owners.split(","));
  for (const stream of hub.streams) if (told.has(stream.ownerId)) sendNewEvents(stream);
}

/** Something was said of a person's schedules: told in between, so a stream's place stays where it is. */
function onFeedbackFor(ownerId: string): void {
  for (const stream of streamsOf(ownerId)) stream.write(serverSentEvent("feedback.changed", stream.place));
}

function heartbeat(): void {
  for (const stream of hub.streams) {
    stream.write(": still here\n\n");
    closeIfSessionEnded(stream);
  }
  sendToAll();
}

function sendToAll(): void {
  for (const stream of hub.streams) sendNewEvents(stream);
}

/** Tells a stream what it has not been told; whoever asks while that is under way has it done once more after. */
function sendNewEvents(stream: Stream): void {
  const before = hub.readers.get(stream) ?? Promise.resolve();
  const mine = before
    .then(() => writeNewEvents(stream))
    .catch((error) => log.warn({ error: String(error) }, "a dashboard could not be told what happened"))
    .finally(() => {
      if (hub.readers.get(stream) === mine) hub.readers.delete(stream);
    });
  hub.readers.set(stream, mine);
}

async function writeNewEvents(stream: Stream): Promise<void> {
  while (hub.streams.has(stream)) {
    const { items, hasMore } = await readLog({ ownerId: stream.ownerId }, { since: stream.place, limit: BATCH });
    for (const { type, xid, id } of items) {
      stream.place = [xid, id];
      stream.write(serverSentEvent(type, stream.place));
    }
    if (!hasMore) return;
  }
}

/** A session has ended, or something about a person has changed. */
function onAccessChange(id: string): void {
  for (const stream of hub.streams) {
    if (stream.sessionId === id) stream.close();
    else if (stream.ownerId === id) closeIfSessionEnded(stream);
  }
}

/** Ends a stream whose session is none any more; while the database is away nobody can tell. */
function closeIfSessionEnded(stream: Stream): void {
  sessionOf(stream.headers).then(
    (session) => {
      const isGood = session && !session.user.suspended && !session.user.deleting;
      if (!isGood) stream.close();
    },
    () => {},
  );
}
