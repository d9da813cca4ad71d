import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { CONNECTED, EMBEDDED, embeddedScript, HOME } from "./pages";

/**
 * A partner's site as a partner would write it. Its backend holds the credentials, provisions the user, requests the connect
 * URL and lists the accounts. Its page opens the URL and learns the result.
 */
export type Partner = { url: string; close(): Promise<void> };

type Options = {
  carillon: string;
  clientId: string;
  clientSecret: string;
  externalUserId: string;
  /** What the backend asks for in a session of the embedded list, besides the origin of its own page. */
  session?: { shows?: string; networks?: string[]; appearance?: object; origins?: string[] };
  /** Tokens that the backend gives to its page first, before it creates sessions. */
  clientTokens?: string[];
};

/** A deep link into the partner's app. */
export const DEEP_LINK = "com.acme.planner:/Connected?from=carillon&keep=%2fas%20is";

/** @param host the name of the partner's site: `localhost` is another site than `127.0.0.1` */
export async function startPartner(options: Options, host = "localhost"): Promise<Partner> {
  const server = createServer((req, res) => {
    answer(options, url, req, res).catch((error) => res.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function answer(options: Options, url: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? "/", url);
  if (pathname === "/") return page(res, HOME);
  if (pathname === "/connected") return page(res, CONNECTED);
  if (pathname === "/embedded") return page(res, EMBEDDED, embeddedPolicy(options));
  if (pathname === "/connect.js") return script(res, await packaged("index"));
  if (pathname === "/element.js") return script(res, await packaged("element"));
  if (pathname === "/embedded.js") return script(res, embeddedScript(options.carillon));
  if (pathname === "/session") {
    const clientToken = options.clientTokens?.shift();
    return json(res, clientToken ? { clientToken } : await createSession(options, url));
  }
  if (pathname === "/accounts") {
    const accounts = await fetch(`${options.carillon}/v1/accounts`, { headers: await partnerHeaders(options) });
    return json(res, await accounts.json());
  }
  if (pathname === "/connect-url") {
    const redirectUri = searchParams.has("app") ? DEEP_LINK : `${url}/connected?from=carillon&keep=%2Fas%20is`;
    return json(res, await connectAddress(options, searchParams.get("platform") ?? "", redirectUri));
  }
  res.writeHead(404).end();
}

/** The strictest policy with which the list works. */
function embeddedPolicy({ carillon }: Options) {
  return {
    "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self'; frame-src ${carillon}; base-uri 'none'`,
  };
}

/** A script of `@carillon/connect`, as the package builds it. */
async function packaged(entry: "index" | "element"): Promise<string> {
  const source = join(import.meta.dirname, "../../packages/connect/src", `${entry}.ts`);
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, format: "esm", write: false });
  return outputFiles[0]?.text ?? "";
}

/** Creates a session of the embedded list for the partner's user. */
export async function createSession(
  options: Options,
  origin: string,
): Promise<{ id: string; clientToken: string; expiresTime: string }> {
  const headers = await partnerHeaders(options);
  await call(options, "/v1/connect/users", headers, { externalUserId: options.externalUserId, name: "Partner's user" });
  return call(options, "/v1/connect/sessions", headers, { origins: [origin], ...options.session });
}

function script(res: ServerResponse, text: string): void {
  res.writeHead(200, { "content-type": "text/javascript" }).end(text);
}

function page(res: ServerResponse, body: string, headers: { [name: string]: string } = {}): void {
  res.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
  res.end(`<!doctype html><html lang="en"><title>Partner</title><body>${body}</body></html>`);
}

function json(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Makes the three calls of SPEC: token, user and connect URL. */
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

/** The headers of every call for the partner's user. */
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
