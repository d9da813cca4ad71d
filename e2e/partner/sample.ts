import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A partner's own site, as a partner would write it: its backend holds the credential, provisions its user and asks for the
 * connect address; its page opens that address in a popup on a click, and learns of the end from its own return page.
 */
export type Partner = { url: string; close(): Promise<void> };

type Options = { carillon: string; clientId: string; clientSecret: string; externalUserId: string };

export async function startPartner(options: Options): Promise<Partner> {
  const server = createServer((req, res) => {
    answer(options, url, req, res).catch((error) => res.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function answer(options: Options, url: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === "/") return page(res, HOME);
  if (req.url?.startsWith("/connected")) return page(res, CONNECTED);
  if (req.url?.startsWith("/connect-url?platform=")) {
    const platform = req.url.split("=")[1] ?? "";
    res.writeHead(200, { "content-type": "application/json" });
    res.end(JSON.stringify(await connectAddress(options, platform, `${url}/connected?from=carillon&keep=%2Fas%20is`)));
    return;
  }
  res.writeHead(404).end();
}

function page(res: ServerResponse, body: string): void {
  res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  res.end(`<!doctype html><html lang="en"><title>Partner</title><body>${body}</body></html>`);
}

/** The popup is opened within the click, so that no browser blocks it, and gets its address a moment later. */
const HOME = `<h1>Partner</h1><button id="connect">Connect X</button><p id="state" role="status">Not connected</p><script>
document.getElementById("connect").onclick = async () => {
  const popup = window.open("about:blank", "carillon", "width=520,height=720");
  popup.location = await (await fetch("/connect-url?platform=X_TWITTER")).json();
};
new BroadcastChannel("carillon").onmessage = () => { document.getElementById("state").textContent = "Connected"; };
</script>`;

const CONNECTED = `<h1>Thank you</h1><script>
new BroadcastChannel("carillon").postMessage("connected");
window.close();
</script>`;

/** The three calls of SPEC: a token, the user, the address. */
async function connectAddress(options: Options, platform: string, redirectUri: string): Promise<string> {
  const headers = await partnerHeaders(options);
  await call(options, "/v1/connect/users", headers, { externalUserId: options.externalUserId, name: "Partner's user" });
  return call(
    options,
    "/v1/connect/authorize-url",
    { ...headers, "x-api-key": options.clientId },
    { platform, redirectUri },
  );
}

/** What every call for the partner's user carries. */
export async function partnerHeaders({ carillon, clientId, clientSecret, externalUserId }: Options) {
  const body = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    audience: carillon,
  };
  const { access_token } = await call({ carillon }, "/oauth/token", {}, body);
  return { authorization: `Bearer ${access_token}`, "x-connect-external-user-id": externalUserId };
}

async function call(
  { carillon }: Pick<Options, "carillon">,
  path: string,
  headers: { [name: string]: string },
  body: unknown,
) {
  const res = await fetch(carillon + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!res.ok) throw new Error(`${path} answered ${res.status}: ${await res.text()}`);
  return res.json();
}
