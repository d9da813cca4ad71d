import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy between the product and the sandbox networks. It forwards everything and records the secrets in it, or answers
 * with everything that it received, as careless networks do.
 */
export type Mirror = {
  url: string;
  /** The sandbox's address, known once the product has started it. */
  networks: string;
  /** How the next publish or token requests are answered; undefined forwards them. */
  echo: Echo | undefined;
  /** The secrets seen so far, each with its name. */
  seen: Map<string, string>;
  /** How many requests were answered with their own content. */
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
  // A listening TCP server has an AddressInfo.
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

/** The secrets in a form or JSON body. */
function note({ seen }: Mirror, text: string): void {
  for (const name of SECRET_FIELDS) {
    const json = new RegExp(`"${name}":\\s*"([^"]{12,})"`).exec(text)?.[1];
    const form = new RegExp(`(?:^|&)${name}=([^&]{12,})`).exec(text)?.[1];
    for (const value of [json, form && decodeURIComponent(form)]) if (value) seen.set(value, `the network's ${name}`);
  }
}
