import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Returns how a request violates an official description; empty if it conforms. */
export type RequestCheck = (sent: SentRequest) => string[] | Promise<string[]>;

/**
 * Validates every request that Carillon sends to a simulated network against an official description. `close` fails with all
 * problems, and also if there was no request.
 */
export async function checkingProxy(target: string, network: string, described: RequestCheck) {
  const looked: Promise<string[]>[] = [];
  const proxy = await observingProxy(target, (sent) => {
    const path = sent.path.replace(new RegExp(`^/${network}(?=/)`), "");
    looked.push(problemsOf({ ...sent, path }, described));
  });
  return {
    url: proxy.url,
    async close() {
      await proxy.close();
      const problems = new Set((await Promise.all(looked)).flat());
      if (looked.length === 0) throw new Error(`no request to ${network} was held against its description`);
      if (problems.size > 0) throw new Error(`not as ${network} describes it:\n${[...problems].join("\n")}`);
    },
  };
}

async function problemsOf(sent: SentRequest, described: RequestCheck): Promise<string[]> {
  return (await described(sent)).map((problem) => `${sent.method} ${sent.path}: ${problem}`);
}

/** A request as sent; `path` has no query and is as the network itself would see it. */
export type SentRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: Uint8Array;
};

/**
 * Forwards requests to a server and passes every completed request of Carillon to `look`, but not those of browsers. A broken
 * connection is also broken on the other side, so that faults reach the client unchanged.
 */
async function observingProxy(target: string, look: (sent: SentRequest) => void) {
  const server = createServer((incoming, outgoing) => {
    if (incoming.headers["user-agent"]?.startsWith("Carillon")) watch(incoming, look);
    forward(target, incoming, outgoing);
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server, so this is never a pipe name
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function watch(incoming: IncomingMessage, look: (sent: SentRequest) => void): void {
  const chunks: Uint8Array[] = [];
  incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  incoming.on("end", () => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
    const headers = new Headers();
    for (const [name, values] of Object.entries(incoming.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    const method = incoming.method ?? "GET";
    look({ method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks) });
  });
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const onward = request(new URL(url ?? "/", target), { method, headers });
  onward.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.on("error", () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) onward.destroy();
  });
  incoming.on("error", () => onward.destroy());
  incoming.pipe(onward);
}
