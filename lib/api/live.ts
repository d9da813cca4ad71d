import { onAccessChanged } from "../db/access";
import { listenOn } from "../db/listen";
import { perProcess } from "../db/per-process";
import { env } from "../env";
import { AccessDenied, Unauthorized } from "../errors";
import { json } from "../http/json";
import { log } from "../log";
import { BeingDeleted, sessionOf } from "../users";
import { endOfLog, type LogPlace, readLog } from "../webhooks";
import { sessionOfRequest } from "./caller";

/** A dashboard keeps one stream while it is visible, so more than a few are not in use. */
const MOST_STREAMS = 6;
const RETRY_MS = 2_000;
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no", // stops nginx from buffering the stream
};

/**
 * Streams the types of the signed-in person's events as they happen. The dashboard then loads the data itself. Starts after
 * the browser's `Last-Event-ID`, or after `since` of the query, which is the position when the page was rendered. Otherwise it
 * starts now, and the first message, `open`, gives that position.
 * @throws Unauthorized, AccessDenied, BeingDeleted like every call with a session
 */
export async function answerLive(request: Request): Promise<Response> {
  const session = await sessionOfRequest(request.headers);
  if (!session) throw new Unauthorized();
  if (session.user.suspended) throw new AccessDenied();
  if (session.user.deleting) throw new BeingDeleted();
  const ownerId = session.user.id;
  const since = new URL(request.url).searchParams.get("since");
  const last = logPlaceIn(request.headers.get("last-event-id")) ?? logPlaceIn(since);
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

/** Proxies close connections that are silent for half a minute or more. */
const HEARTBEAT_MS = 15_000;
/** How often to check whether LISTEN works, at the start and after it was lost. */
const LISTEN_CHECK_MS = 250;
const BATCH = 100;

type Hub = { streams: Set<Stream>; readers: Map<Stream, Promise<void>> };

/** All streams of this process, whichever bundle opened them. It starts to listen with the first one. */
const hub = perProcess<Hub>("live.hub", () => ({ streams: new Set(), readers: new Map() }));

export function streamsOf(ownerId: string): Stream[] {
  return [...hub.streams].filter((stream) => stream.ownerId === ownerId);
}

/** From now on, the stream gets new events from its position, until it ends. */
export function addStream(stream: Stream): void {
  hub.streams.add(stream);
  startListening();
  sendNewEvents(stream);
}

export function removeStream(stream: Stream): void {
  hub.streams.delete(stream);
}

/** Ends all streams of this process. Browsers reconnect, to another process or the next one here. */
export function endLiveStreams(): void {
  for (const stream of hub.streams) stream.close();
}

function startListening(): void {
  perProcess("live.listening", () => {
    const live = listenOn("live", { notice: onEventsOf, lost: () => catchUp() });
    // This is not an event of the log: it is only for open dashboards, which refresh within half a minute if they miss it.
    listenOn("feedback", { notice: onFeedbackFor, lost: () => {} });
    const access = listenOn("access_changed", { notice: onAccessChange, lost: () => {} });
    onAccessChanged(onAccessChange);
    let looking: NodeJS.Timeout | undefined;
    /** Catches up after LISTEN starts to work, so that no notification sent before is missed. */
    function catchUp(): void {
      clearInterval(looking);
      if (!env.databaseNotify) return; // every heartbeat looks for new events
      looking = setInterval(() => {
        if (!live.isLive() || !access.isLive()) return;
        clearInterval(looking);
        sendToAll();
        for (const stream of hub.streams) closeIfSessionEnded(stream);
      }, LISTEN_CHECK_MS).unref();
    }
    catchUp();
    return setInterval(heartbeat, HEARTBEAT_MS).unref();
  });
}

function onEventsOf(owners: string): void {
  const told = new Set(owners.split(","));
  for (const stream of hub.streams) if (told.has(stream.ownerId)) sendNewEvents(stream);
}

/** Notifies dashboards about new feedback. It has no position in the log, so the stream's position stays the same. */
function onFeedbackFor(ownerId: string): void {
  for (const stream of streamsOf(ownerId)) stream.write(serverSentEvent("feedback.changed", stream.place));
}

function heartbeat(): void {
  for (const stream of hub.streams) {
    stream.write(": keep-alive\n\n");
    closeIfSessionEnded(stream);
  }
  sendToAll();
}

function sendToAll(): void {
  for (const stream of hub.streams) sendNewEvents(stream);
}

/** Sends the events that a stream has not had yet. A call during a running one runs once more afterwards. */
function sendNewEvents(stream: Stream): void {
  const before = hub.readers.get(stream) ?? Promise.resolve();
  const mine = before
    .then(() => writeNewEvents(stream))
    .catch((error) => log.warn({ error: String(error) }, "events could not be sent to a dashboard"))
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

/** Handles an ended session, or a change to a person. */
function onAccessChange(id: string): void {
  for (const stream of hub.streams) {
    if (stream.sessionId === id) stream.close();
    else if (stream.ownerId === id) closeIfSessionEnded(stream);
  }
}

/** Ends a stream whose session is no longer valid. If the database is unavailable, the stream stays open. */
function closeIfSessionEnded(stream: Stream): void {
  sessionOf(stream.headers).then(
    (session) => {
      const isGood = session && !session.user.suspended && !session.user.deleting;
      if (!isGood) stream.close();
    },
    () => {},
  );
}

/** One open dashboard that receives events. */
type Stream = {
  ownerId: string;
  /** The stream ends with this session. */
  sessionId: string;
  /** The cookie it was opened with, which is checked again regularly. */
  headers: Headers;
  /** The position in the log up to which events were sent. */
  place: LogPlace;
  write(text: string): void;
  close(): void;
};

/** A client that does not read is disconnected at this many waiting chunks. It reconnects and continues. */
const MAX_QUEUED_CHUNKS = 500;

/** Opens a response body that stays open (text/event-stream), and returns the functions to write to it and close it. */
function openBody(onGone: () => void): {
  body: ReadableStream<Uint8Array>;
  write: Stream["write"];
  close(): void;
} {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = () => {
    controller = undefined;
    onGone();
  };
  const close = () => {
    controller?.close();
    end();
  };
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel: end,
  });
  const write = (text: string) => {
    if ((controller?.desiredSize ?? 0) < -MAX_QUEUED_CHUNKS) close();
    controller?.enqueue(encoder.encode(text));
  };
  return { body, write, close };
}

/** Formats a server-sent event (WHATWG): its type, and its position in the log to continue from. */
function serverSentEvent(type: string, [xid, id]: LogPlace): string {
  return `id: ${xid}.${id}\ndata: ${JSON.stringify({ type })}\n\n`;
}

/** Parses the ID of a message as a position in the log; undefined if it is absent or malformed. */
function logPlaceIn(messageId: string | null): LogPlace | undefined {
  const [, xid, id] = /^(\d{1,19})\.(\d{1,15})$/.exec(messageId ?? "") ?? [];
  return xid && id ? [xid, Number(id)] : undefined;
}
