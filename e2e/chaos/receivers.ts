import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { receiver, type Told } from "../partner/receiver";

/** How a receiver behaves: seven in ten as they should. */
export type Manner = "good" | "broken" | "hanging" | "flaky" | "gone";
export const MANNERS: Manner[] = ["good", "good", "good", "good", "good", "good", "good", "broken", "hanging", "flaky"];

/** What a path has worked on, each `webhook-id` once, and how often requests came there. */
export type Inbox = { worked: { id: string; event: Told }[]; visits: number };

export type Receivers = {
  /** Where a path will be reached, before it is open. */
  urlOf(path: string): string;
  /** Opens a path for what is signed with this secret. */
  open(path: string, secret: string): Inbox;
  /** How often something came that was not signed as it has to be. */
  unverified(): number;
  close(): Promise<void>;
};

/** A site of many partners' receivers, `/<manner>/<n>`. */
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
    if (manner === "hanging") return; // the sender's patience ends it
    if (manner === "broken") return response.writeHead(500).end();
    if (manner === "gone") return response.writeHead(410).end();
    // It has taken it, and its answer is lost on the way.
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
