import type { LogPlace } from "../webhooks";

/** One dashboard that is being told what happens. */
export type Stream = {
  ownerId: string;
  /** Its session; ended with it. */
  sessionId: string;
  /** The cookie that it began with, to be looked at again. */
  headers: Headers;
  /** How far it has been told. */
  place: LogPlace;
  write(text: string): void;
  close(): void;
};

/** Somebody who does not read what is written is cut at so many waiting pieces; they come back and go on. */
const MAX_QUEUED_CHUNKS = 500;

/** The body of an answer that goes on (text/event-stream), and the end of it that is written to. */
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

/** A message of the WHATWG's server-sent events: what kind of thing happened, and its place in the log to go on from. */
export function serverSentEvent(type: string, [xid, id]: LogPlace): string {
  return `id: ${xid}.${id}\ndata: ${JSON.stringify({ type })}\n\n`;
}

/** The place that a browser says it has been told up to; undefined where it says nothing that is one. */
export function logPlaceIn(lastEventId: string | null): LogPlace | undefined {
  const [, xid, id] = /^(\d{1,19})\.(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
  return xid && id ? [xid, Number(id)] : undefined;
}
