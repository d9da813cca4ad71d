import { perProcess } from "../db/per-process";
import { type Application, findApplication, isSecretOf } from "./applications";
import { OAuthError } from "./errors";
import type { Parameters } from "./parameters";

/** Mistakes that cost nothing; from then on a client's attempts from one address are spaced out. */
const FREE = 5;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;
/** More attempts than this at once are not even queued. */
const LONGEST_QUEUE_MS = 10_000;
const FORGET_MS = 600_000;
const MAX_ENTRIES = 10_000;

type Entry = { failures: number; freeAt: number; lastAt: number };
const entries = perProcess("oauth.slow-down", () => new Map<string, Entry>());

/**
 * Waits for the turn of an attempt to authenticate. Only a pair of client and address is slowed down: no one can lock a client
 * out from another address, and the right secret always gets its turn.
 */
async function takeTurn(clientId: string, address: string): Promise<{ failed(): void; succeeded(): void }> {
  const key = `${clientId.slice(0, 100)} ${address}`;
  const entry = entries.get(key);
  const now = performance.now();
  if (entry && now - entry.lastAt > FORGET_MS) entries.delete(key);
  else if (entry && entry.failures >= FREE) {
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (entry.failures - FREE));
    const turn = Math.max(now, entry.freeAt) + delay;
    if (turn - now > LONGEST_QUEUE_MS) throw new OAuthError("slow_down", "Too many wrong secrets; try again later");
    entry.freeAt = turn;
    await new Promise((resolve) => setTimeout(resolve, turn - now));
  }
  return {
    failed: () => remember(key),
    succeeded: () => entries.delete(key),
  };
}

function remember(key: string): void {
  const entry = entries.get(key) ?? { failures: 0, freeAt: 0, lastAt: 0 };
  entries.delete(key); // to its place at the end: the oldest go first when there are too many
  entries.set(key, { ...entry, failures: entry.failures + 1, lastAt: performance.now() });
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}

/** The same error for an unknown client and a wrong secret, so that client ids cannot be probed. */
const wrongClient = () => new OAuthError("invalid_client", "The client id or secret is wrong");

/**
 * The client that a request comes from: `client_id` and `client_secret` in the body or by HTTP Basic (RFC 6749, section
 * 2.3.1), or only the id if the client is public.
 */
export async function authenticateClient(
  headers: Headers,
  parameters: Parameters,
  address: string,
): Promise<Application> {
  const { clientId, secret } = credentialsOf(headers, parameters);
  if (clientId === undefined) throw wrongClient();
  const turn = await takeTurn(clientId, address);
  const application = await findApplication(clientId);
  const isAuthenticated = application?.isPublic
    ? secret === undefined
    : application && secret !== undefined && (await isSecretOf(clientId, secret));
  if (!application || !isAuthenticated) {
    turn.failed();
    throw wrongClient();
  }
  turn.succeeded();
  if (application.suspendedAt) throw new OAuthError("invalid_client", "This client is suspended");
  return application;
}

function credentialsOf(headers: Headers, { client_id, client_secret }: Parameters) {
  const authorization = headers.get("authorization");
  if (authorization === null) return { clientId: client_id, secret: client_secret };
  if (client_secret !== undefined) {
    throw new OAuthError("invalid_request", "Authenticate either by HTTP Basic or in the body, not both");
  }
  const [clientId, secret] = basicOf(authorization);
  if (client_id !== undefined && client_id !== clientId) {
    throw new OAuthError("invalid_request", "client_id in the body and in HTTP Basic are different");
  }
  return { clientId, secret };
}

function basicOf(authorization: string): [clientId: string, secret: string | undefined] {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  try {
    if (colon < 1) throw wrongClient();
    const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded);
    if (!clientId || clientId.includes("\0")) throw wrongClient();
    return [clientId, secret || undefined];
  } catch {
    throw wrongClient();
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
