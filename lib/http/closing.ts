import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SENDER_PACE, type SenderPace } from "../storage/consume";
import { REQUEST_MS } from "./server";

/** How long running requests may take to finish. */
export type Patience = {
  requestMs: number;
  /** Uploads get as long as a sender at the lowest allowed rate needs, and `requestMs` for the answer. */
  awaitsUploads: boolean;
};

export type Closing = {
  /** From now on, every answer asks its client to close the connection, so that a proxy opens the next one elsewhere. */
  announce(): void;
  /** Stops accepting connections, lets running requests finish, and resolves when all connections are closed. */
  close(patience: Patience): Promise<void>;
};

/** `uploadEndsAt` is undefined for a request that stores no file. */
type Running = { socket: Socket; uploadEndsAt: number | undefined };

/** Follows the connections and requests of a server from its start, so that it can later be closed in order. */
export function closingOf(
  server: Server,
  isUpload: (request: IncomingMessage) => boolean,
  pace: Omit<SenderPace, "idleMs"> = SENDER_PACE,
): Closing {
  const sockets = new Set<Socket>();
  const running = new Map<ServerResponse, Running>();
  let isAnnounced = false;
  let isClosing = false;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const uploadEndsAt = isUpload(request) ? Date.now() + uploadMs(request, pace) : undefined;
    running.set(response, { socket: request.socket, uploadEndsAt });
    if (isAnnounced) askToDisconnect(response);
    response.once("close", () => {
      running.delete(response);
      // Only in the next turn of the event loop does the connection count as idle.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });

  function announce(): void {
    isAnnounced = true;
    for (const response of running.keys()) askToDisconnect(response);
  }

  /** Disconnects whoever is late, and comes back when the next upload is due. */
  function cutLate({ requestMs, awaitsUploads }: Patience): void {
    const now = Date.now();
    const inTime = [...running.values()].flatMap(({ socket, uploadEndsAt }) =>
      awaitsUploads && uploadEndsAt !== undefined && uploadEndsAt + requestMs > now ? [{ socket, uploadEndsAt }] : [],
    );
    const kept = new Set(inTime.map(({ socket }) => socket));
    for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
    if (inTime.length === 0) return;
    const next = Math.min(...inTime.map(({ uploadEndsAt }) => uploadEndsAt)) + requestMs;
    setTimeout(cutLate, next - now, { requestMs, awaitsUploads }).unref();
  }

  return {
    announce,
    close(patience) {
      announce();
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Connections that a browser opened in advance. Node counts them as busy until their first request.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      setTimeout(cutLate, patience.requestMs, patience).unref();
      return closed;
    },
  };
}

function askToDisconnect(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** The longest time in which an upload can arrive at the lowest allowed rate (lib/storage/consume.ts). */
function uploadMs({ headers }: IncomingMessage, { graceMs, bytesPerSecond }: Omit<SenderPace, "idleMs">): number {
  const bytes = Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);
  return Math.min(REQUEST_MS, graceMs + (bytes / bytesPerSecond) * 1000);
}
