import { env, isLoopback, type NetworkSettings } from "../../env";
import { parseUrl } from "../../env/parse-url";
import { EgressError } from "../../http/egress-error";
import { allowedAddresses, defaultGuard } from "../../http/egress-guard";
import { parseOutsideUrl } from "../../http/outside-url";
import { type Platform, platforms } from "../../platforms";
import { PlatformError, platformErrorFrom } from "../errors";
import type { App, Network, NetworkCall, NetworkSession, Tokens } from "../network";
import { unlimitedQuota } from "../quota";
import { parseJson } from "./json";
import { sendRequest } from "./send";
import { fetchWebFile } from "./web-page";

/** Names of parameters whose values are secret in the networks' token and API calls. */
const SECRET_FIELDS = new Set([
  ...["access_token", "appsecret_proof", "assertion", "client_assertion", "client_secret", "code", "code_verifier"],
  ...["fb_exchange_token", "input_token", "password", "refresh_token", "token"],
]);
/** Shorter values are not credentials, and removing them would garble the surrounding text. */
const SHORTEST = 6;

type Sent = { url: string; headers: Headers; body?: unknown };

/**
 * Returns the secrets in a request that a network might echo in its answer: the credential of the Authorization header
 * (for HTTP Basic, our Base64 client credentials) and secret parameters, raw and URL-encoded.
 */
function secretsOf({ url, headers, body }: Sent): string[] {
  const credential = headers.get("authorization")?.replace(/^\S+\s+/, "") ?? "";
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  const form = body instanceof URLSearchParams || (isForm && typeof body === "string") ? String(body) : "";
  const parameters = [...new URLSearchParams(form), ...new URL(url).searchParams]
    .filter(([name]) => SECRET_FIELDS.has(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value)]);
  return [credential, ...parameters].filter((secret) => secret.length >= SHORTEST);
}

/** Removes secrets from a JSON value, including its field names. */
function withoutSecrets(value: unknown, secrets: string[]): unknown {
  // Compares with our own JSON encoding: the network may escape the same text differently ("\/").
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return JSON.parse(longestFirst.reduce((left, secret) => left.replaceAll(secret, "…"), JSON.stringify(value)));
}

const DEFAULT_TIMEOUT_SECONDS = 30;

type Enabled = Exclude<NetworkSettings, { mode: "off" }>;
type Account = { accountId: string; username: string; tokens: Tokens };

/** Whether a network is configured, with real credentials or as a sandbox. */
export function isOffered(platform: Platform): boolean {
  return env.networks[platforms[platform]].mode !== "off";
}

/**
 * Returns our application at a network, from this process's settings.
 * @throws PlatformError `later` if the network is not configured (any more)
 */
export function appOf(network: Network): App {
  const settings = env.networks[platforms[network.platform]];
  if (settings.mode === "off") throw new PlatformError("later", `${network.name} is not set up here`);
  return makeApp(network, settings);
}

/** Returns a session for calls on behalf of one connected account, from this process's settings. */
export function networkSession(network: Network, account: Account): NetworkSession {
  return makeSession(network, appOf(network), account);
}

/** Like `appOf`, with explicit settings. */
export function makeApp(network: Network, settings: Enabled): App {
  const { clientId, clientSecret, configId } = settings;
  const app: App = {
    clientId,
    clientSecret,
    configId,
    url: (path, host = "api") => `${hostOf(network, settings, host)}${path}`,
    fetch: (path, call = {}) => sendOnce(network, app, path, call),
    fetchWebFile: fetchWebFile,
  };
  return app;
}

/** Like `sessionOf`, with an explicit application. */
export function makeSession(network: Network, app: App, { accountId, username, tokens }: Account): NetworkSession {
  let time: Date | undefined;
  const noteTime = (headers: Headers) => {
    const ms = Date.parse(headers.get("date") ?? "");
    if (!Number.isNaN(ms)) time = new Date(ms);
  };
  const fetch: NetworkSession["fetch"] = (path, call = {}) => sendOnce(network, app, path, call, tokens, noteTime);
  return { app, accountId, username, tokens, fetch, statedTime: () => time, quota: unlimitedQuota };
}

function hostOf(network: Network, { apiUrl, mode }: Enabled, purpose: string): string {
  const host = network.hosts[purpose];
  if (!host) throw new Error(`${network.name} has no host for ${purpose}`);
  if (!apiUrl) return host;
  const simulated = mode === "sandbox" || isLoopback(apiUrl);
  return network.selfHosted && !simulated && purpose !== "api" ? host : apiUrl;
}

/** Builds the request of a call: its full address, common headers and the credential. */
export async function buildRequest(network: Network, app: App, path: string, call: NetworkCall, tokens?: Tokens) {
  const url = path.startsWith("/") ? app.url(path, call.host) : path;
  const method = call.method ?? "GET";
  const headers = new Headers({ "user-agent": "Carillon", ...call.headers });
  if (call.auth && call.auth !== "none") headers.set("authorization", `Bearer ${call.auth.bearer}`);
  else if (tokens && call.auth !== "none") {
    if (network.authorize) await network.authorize(headers, { method, url }, tokens);
    else headers.set("authorization", `Bearer ${tokens.accessToken}`);
  }
  return { method, url, headers, body: call.body };
}

async function sendOnce(
  network: Network,
  app: App,
  path: string,
  call: NetworkCall,
  tokens?: Tokens,
  onHeaders?: (headers: Headers) => void,
) {
  const request = await buildRequest(network, app, path, call, tokens);
  const timeoutSeconds = call.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const addresses = await guardedAddresses(network, app, request.url);
  const response = await sendRequest(network.name, { ...request, timeoutSeconds, addresses });
  network.onResponse?.(request.url, response.headers);
  onHeaders?.(response.headers);
  if (response.ok || call.accept?.includes(response.status)) return response;

  const own = [app.clientSecret, tokens?.accessToken, tokens?.refreshToken].filter((secret) => secret !== undefined);
  const secrets = [...own, ...secretsOf(request)];
  throw platformErrorFrom(network.name, network.errors, readBody(await response.text(), secrets), response);
}

/** Parses the body of an error response with our secrets removed; returns undefined if it is not JSON. */
function readBody(text: string, secrets: string[]): unknown {
  try {
    return withoutSecrets(parseJson(text), secrets.filter(Boolean));
  } catch {
    return undefined;
  }
}

/**
 * Resolves the addresses that a call to an account's own host may connect to (RELIABILITY, section 5); checked for every
 * call. Returns undefined for networks with fixed hosts and for configured hosts, which need no check.
 * @throws PlatformError `rejected` if the address is not public, `later` if its name cannot be resolved
 */
async function guardedAddresses(network: Network, app: App, url: string): Promise<string[] | undefined> {
  if (!network.anyHost || isOwnHost(network, app, url)) return undefined;
  try {
    return await allowedAddresses(parseOutsideUrl(url), defaultGuard);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const answer = { status: 0, code: error.fault };
    const says = `${network.name} refers to a host that Carillon must not call: ${error.message}`;
    throw new PlatformError(error.lasting ? "rejected" : "later", says, { refused: true, answer });
  }
}

/** Whether an address is on one of the configured hosts. On this machine, all loopback names of the same port are equal. */
function isOwnHost(network: Network, app: App, address: string): boolean {
  const asked = parseUrl(address);
  if (!asked) return false;
  return Object.keys(network.hosts).some((purpose) => {
    const own = new URL(app.url("/", purpose));
    if (own.origin === asked.origin) return true;
    return own.port === asked.port && own.protocol === asked.protocol && isLoopback(own.href) && isLoopback(asked.href);
  });
}
