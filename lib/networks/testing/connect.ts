import { createHash, randomBytes } from "node:crypto";
import { PlatformError } from "../errors";
import type { App, Network, NetworkSession, OAuthConnect, Tokens } from "../network";
import { makeApp, makeSession } from "../wire/fetch";

/** Connects a sandbox person through the consent form and returns a session of that account. */
export async function connectedTo<S>(network: Network<S>, app: App, person: string): Promise<NetworkSession> {
  const plain = network as Network; // settings are not used for connecting
  const tokens = await connectBy(app, network.connect as OAuthConnect, person); // only networks with a consent page
  const anonymous = makeSession(plain, app, { accountId: "me", username: "", tokens });
  return makeSession(plain, app, { ...(await network.profile(anonymous)), tokens });
}

/** Returns the error of a call that must fail; anything else fails the test. */
export function failureOf(work: Promise<unknown> | undefined): Promise<PlatformError> {
  return Promise.resolve(work).then(
    () => Promise.reject(new Error("expected a failure")),
    (error: unknown) => (error instanceof PlatformError ? error : Promise.reject(error)),
  );
}

/** Returns the application that a sandbox at this address knows for a network. */
export function sandboxApp(network: Network, sandboxUrl: string, name: string): App {
  const clientSecret = name === "telegram" ? "1000000001:sandbox-telegram-bot" : `sandbox-${name}-secret`;
  const clientId = `sandbox-${name}`;
  return makeApp(network, { mode: "sandbox", clientId, clientSecret, apiUrl: `${sandboxUrl}/${name}` });
}

/**
 * Connects like a user who presses Allow on the consent page, with all permissions or `without` one, and returns the tokens.
 * Posts the form without reading the page first, because most tests need an account and not the page.
 */
export async function connectBy(
  app: App,
  connect: OAuthConnect,
  account: string,
  { callback, without }: { callback?: string; without?: string } = {},
): Promise<Tokens> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const redirectUri = callback ?? `http://${connect.loopbackAddress ?? "localhost"}:3000/oauth/connect/callback`;
  const { url, keep = {} } = await connect.begin(app, { state: "some-state", redirectUri, challenge, verifier });
  const form = new URLSearchParams({ account, decision: "allow", ...(without ? { without } : {}) });
  const answer = await fetch(url, { method: "POST", redirect: "manual", body: form });
  const query = new URL(answer.headers.get("location") ?? "").searchParams;
  if (query.get("state") !== "some-state") throw new Error(`the callback lost its state: ${query}`);
  const [code, issuer] = [query.get("code") ?? "", query.get("iss") ?? undefined];
  return connect.exchange(app, { code, issuer, redirectUri, verifier, keep });
}

/** Submits the form of a consent page; does not follow the redirect. */
export async function submitConsent(url: string, fields: { account: string; decision: string }): Promise<Response> {
  const page = await (await fetch(url)).text();
  const form = page.match(/<form\b[^>]*>/)?.[0];
  if (!form) throw new Error(`no form at ${url}: ${page.slice(0, 300)}`);
  const hidden = [...page.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(
    ([input]) => [attribute(input, "name"), attribute(input, "value")] as [string, string],
  );
  const action = new URL(attribute(form, "action") || url, url);
  const body = new URLSearchParams([...hidden, ...Object.entries(fields)]);
  return fetch(action, { method: "POST", body, redirect: "manual" });
}

function attribute(tag: string, name: string): string {
  const value = tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "";
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
