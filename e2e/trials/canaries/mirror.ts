import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands between the product and the sandbox networks: passes everything on and notes the secrets that go by, or, as bad
 * networks do, answers with all that it was sent.
 */
export type Mirror = {
  url: string;
  /** Where the networks are; known once the product has started them. */
  networks: string;
  /** How the next calls that publish or ask for tokens are answered; undefined passes them on. */
  echo: Echo | undefined;
  /** Secrets that went by, each with what it is. */
  seen: Map<string, string>;
  /** How many calls were answered with what they held. */
  echoed: number;
  close(): Promise<void>;
};

export type Echo = { status: number; type: string; body(held: string): string };

const SECRET_FIELDS = ["access_token", "refresh_token", "code", "code_verifier", "client_secret"];

export async function openMirror(): Promise<Mirror> {
  const server = createServer((incoming, outgoing) => {
    answer(mirror, incoming, outgoing).catch(() => outgoing.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  const mirror: Mirror = {
    url: `http://localhost:${port}`,
    networks: "",
    echo: undefined,
    seen: new Map(),
    echoed: 0,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return mirror;
}

async function answer(mirror: Mirror, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = "GET", url = "/", headers } = incoming;
  note(mirror, body.toString());
  const { echo } = mirror;
  if (echo && /\/2\/tweets$|\/2\/oauth2\/token$|\/send[A-Z]\w+$/.test(url)) {
    mirror.echoed++;
    const held = `${method} ${url} ${JSON.stringify(headers)} ${body.toString()}`;
    outgoing.writeHead(echo.status, { "content-type": echo.type, "x-echo": encodeURIComponent(held).slice(0, 4000) });
    outgoing.end(echo.body(held));
    return;
  }
  const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, expect: _____, ...kept } = headers;
  const passed = await fetch(mirror.networks + url, {
    method,
    headers: Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)])),
    redirect: "manual",
    ...(method === "GET" || method === "HEAD" ? {} : { body }),
  });
  const text = Buffer.from(await passed.arrayBuffer());
  note(mirror, text.toString());
  const location = passed.headers.get("location");
  outgoing.writeHead(passed.status, {
    "content-type": passed.headers.get("content-type") ?? "text/plain",
    ...(location ? { location } : {}),
  });
  outgoing.end(text);
}

/** The secrets in a body, whether it is a form or JSON. */
function note({ seen }: Mirror, text: string): void {
  for (const name of SECRET_FIELDS) {
    const json = new RegExp(`"${name}":\\s*"([^"]{12,})"`).exec(text)?.[1];
    const form = new RegExp(`(?:^|&)${name}=([^&]{12,})`).exec(text)?.[1];
    for (const value of [json, form && decodeURIComponent(form)]) if (value) seen.set(value, `the network's ${name}`);
  }
}
