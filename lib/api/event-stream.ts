import type { LogPlace } from "../webhooks";

/** One open dashboard that receives events. */
export type Stream = {
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
export function openBody(onGone: () => void): {
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
export function serverSentEvent(type: string, [xid, id]: LogPlace): string {
  return `id: ${xid}.${id}\ndata: ${JSON.stringify({ type })}\n\n`;
}

/** Parses a `Last-Event-ID` header as a position in the log; undefined if it is absent or malformed. */
export function logPlaceIn(lastEventId: string | null): LogPlace | undefined {
  const [, xid, id] = /^(\d{1,19})\.(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
  return xid && id ? [xid, Number(id)] : undefined;
}
