import { env, isLoopback, type NetworkSettings } from "../../env";
import { type Platform, platforms } from "../../platforms";
import { errorOf, PlatformError } from "../errors";
import type { App, Network, NetworkCall, Session, Tokens } from "../network";
import { unlimited } from "../quota";
import { guardedAddresses } from "./guard";
import { parseJson } from "./json";
import { readOutside } from "./outside-page";
import { secretsOf, withoutSecrets } from "./secrets";
import { send } from "./send";

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
export function sessionOf(network: Network, account: Account): Session {
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
    outside: readOutside,
  };
  return app;
}

/** Like `sessionOf`, with an explicit application. */
export function makeSession(network: Network, app: App, { accountId, username, tokens }: Account): Session {
  const fetch: Session["fetch"] = (path, call = {}) => sendOnce(network, app, path, call, tokens);
  return { app, accountId, username, tokens, fetch, quota: unlimited };
}

function hostOf(network: Network, { apiUrl, mode }: Enabled, purpose: string): string {
  const host = network.hosts[purpose];
  if (!host) throw new Error(`${network.name} has no host for ${purpose}`);
  if (!apiUrl) return host;
  const simulated = mode === "sandbox" || isLoopback(apiUrl);
  return network.selfHosted && !simulated && purpose !== "api" ? host : apiUrl;
}

/** Builds the request of a call: its full address, common headers and the credential. */
export async function requestOf(network: Network, app: App, path: string, call: NetworkCall, tokens?: Tokens) {
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

async function sendOnce(network: Network, app: App, path: string, call: NetworkCall, tokens?: Tokens) {
  const request = await requestOf(network, app, path, call, tokens);
  const timeoutSeconds = call.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const addresses = await guardedAddresses(network, app, request.url);
  const response = await send(network.name, { ...request, timeoutSeconds, addresses });
  network.answered?.(request.url, response.headers);
  if (response.ok || call.accept?.includes(response.status)) return response;

  const own = [app.clientSecret, tokens?.accessToken, tokens?.refreshToken].filter((secret) => secret !== undefined);
  const secrets = [...own, ...secretsOf(request)];
  throw errorOf(network.name, network.errors, readBody(await response.text(), secrets), response);
}

/** Parses the body of an error response with our secrets removed; returns undefined if it is not JSON. */
function readBody(text: string, secrets: string[]): unknown {
  try {
    return withoutSecrets(parseJson(text), secrets.filter(Boolean));
  } catch {
    return undefined;
  }
}
