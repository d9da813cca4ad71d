import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";

/** How a receiver behaves: seven in ten as they should. */
export type Manner = "good" | "broken" | "hanging" | "flaky";
export const MANNERS: Manner[] = ["good", "good", "good", "good", "good", "good", "good", "broken", "hanging", "flaky"];

export type Receivers = {
  /** Makes its secret known, so that what comes there is verified. */
  expect(path: string, secret: string): void;
  /** The ids that a path has taken, and how often something came that was not signed as it has to be. */
  taken(path: string): Set<string>;
  unverified(): number;
  close(): Promise<void>;
};

/** A site of many receivers, `/<manner>/<n>`, written with the public library alone. */
export async function startReceivers(port: number): Promise<Receivers> {
  const secrets = new Map<string, string>();
  const taken = new Map<string, Set<string>>();
  let unverified = 0;
  let visits = 0;

  function isOurs(path: string, body: string, headers: IncomingMessage["headers"]): boolean {
    try {
      new Webhook(secrets.get(path) ?? "").verify(body, headers as { [name: string]: string });
      return true;
    } catch {
      unverified += 1;
      return false;
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const path = request.url ?? "";
    const manner = path.split("/")[1];
    visits += 1;
    if (!isOurs(path, body, request.headers)) response.writeHead(401).end();
    else if (manner === "broken") response.writeHead(500).end();
    else if (manner === "hanging")
      return; // the sender's patience ends it
    else if (manner === "flaky" && visits % 2 === 0) request.socket.destroy();
    else {
      taken.set(path, (taken.get(path) ?? new Set()).add(String(request.headers["webhook-id"])));
      response.writeHead(204).end();
    }
  }

  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    expect: (path, secret) => void secrets.set(path, secret),
    taken: (path) => taken.get(path) ?? new Set(),
    unverified: () => unverified,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
