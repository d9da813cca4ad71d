import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { receiver, type WebhookEvent } from "../partner/receiver";

/** How a receiver behaves. Seven in ten behave well. */
export type Manner = "good" | "broken" | "hanging" | "flaky" | "gone";
export const MANNERS: Manner[] = ["good", "good", "good", "good", "good", "good", "good", "broken", "hanging", "flaky"];

/** The events that a path has processed, each `webhook-id` once, and the number of its requests. */
export type Inbox = { worked: { id: string; event: WebhookEvent }[]; visits: number };

export type Receivers = {
  /** The URL of a path, which need not be open yet. */
  urlOf(path: string): string;
  /** Opens a path for events signed with this secret. */
  open(path: string, secret: string): Inbox;
  /** The number of requests with an invalid signature. */
  unverified(): number;
  close(): Promise<void>;
};

/** A server with the receivers of many partners at `/<manner>/<n>`. */
export async function startReceivers(port: number): Promise<Receivers> {
  const listeners = new Map<string, RequestListener>();
  const inboxes = new Map<string, Inbox>();
  const urlOf = (path: string) => `http://127.0.0.1:${port}${path}`;
  let unverified = 0;

  function answer(request: IncomingMessage, response: ServerResponse): unknown {
    const path = request.url ?? "";
    const manner = path.split("/")[1];
    const inbox = inboxes.get(path);
    if (inbox) inbox.visits += 1;
    if (manner === "hanging") return; // The sender gives up.
    if (manner === "broken") return response.writeHead(500).end();
    if (manner === "gone") return response.writeHead(410).end();
    // The event is processed, but the answer is lost.
    if (manner === "flaky" && (inbox?.visits ?? 0) % 2 === 1) response.end = () => response.destroy();
    response.on("close", () => {
      if (response.statusCode === 401) unverified += 1;
    });
    const listener = listeners.get(path);
    return listener ? listener(request, response) : response.writeHead(404).end();
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    urlOf,
    open(path, secret) {
      const inbox: Inbox = { worked: [], visits: 0 };
      listeners.set(
        path,
        receiver(secret, (event, id) => inbox.worked.push({ id, event })),
      );
      inboxes.set(path, inbox);
      return inbox;
    },
    unverified: () => unverified,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
