import { z } from "zod";
import { isLoopback } from "../../env";
import { parseUrl } from "../../env/parse-url";
import { PlatformError } from "../errors";
import type { App, Tokens } from "../network";
import { parseJson, readAnswer } from "../wire/json";
import { query } from "../wire/query";

/** An account's DID, handle and data server (PDS). */
export type Identity = { did: string; handle: string; pds: string };

const didSchema = z.object({ did: z.string().startsWith("did:") });

const documentSchema = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).default([]),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).default([]),
});

/** Normalizes a handle as people type or paste it: at signs, invisible characters, missing domain. */
export function normalizeHandle(typed: string): string {
  const bare = typed
    .replace(/[\p{C}\s]/gu, "")
    .replace(/^@/, "")
    .toLowerCase();
  return bare.includes(".") || bare.startsWith("did:") ? bare : `${bare}.bsky.social`;
}

/** Checks the syntax of a handle (atproto.com/specs/handle): labels of letters, digits and hyphens; the last is not a number. */
export function isHandle(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text);
}

/**
 * Resolves a handle or DID. For a handle, handle and DID document must refer to each other.
 * @throws PlatformError `rejected` if there is no such account
 */
export async function resolveIdentity(app: App, account: string): Promise<Identity> {
  if (account.startsWith("did:")) return identityOf(app, account);
  const did = isHandle(account) ? await resolveHandle(app, account) : undefined;
  if (!did) throw new PlatformError("rejected", `No Bluesky account named ${account} was found`);
  const identity = await identityOf(app, did);
  if (identity.handle !== account)
    throw new PlatformError(
      "rejected",
      `The account that the Bluesky handle ${account} leads to does not confirm the handle`,
    );
  return identity;
}

/** Resolves a handle to a DID through the AppView, which checks DNS and the handle's host; undefined if no account uses it. */
export async function resolveHandle(app: App, handle: string): Promise<string | undefined> {
  try {
    const path = `/xrpc/com.atproto.identity.resolveHandle?${query({ handle })}`;
    return (await readAnswer("Bluesky", didSchema, await app.fetch(path, { host: "appview" }))).did;
  } catch (error) {
    if (error instanceof PlatformError && error.answer?.status === 400) return undefined;
    throw error;
  }
}

/**
 * Reads a DID's document: the account's server and the handle that it claims.
 * @throws PlatformError `rejected` if the account does not exist
 */
export async function identityOf(app: App, did: string): Promise<Identity> {
  const answer = await app.fetch(...documentAddress(did)).catch((error: unknown) => {
    const status = error instanceof PlatformError ? error.answer?.status : undefined;
    if (status !== 404 && status !== 410) throw error;
    throw new PlatformError("rejected", "This Bluesky account no longer exists");
  });
  const document = await readAnswer("Bluesky", documentSchema, answer);
  const service = document.service.find(({ id }) => id === "#atproto_pds" || id === `${did}#atproto_pds`);
  const pds = typeof service?.serviceEndpoint === "string" ? serverOrigin(service.serviceEndpoint) : undefined;
  if (document.id !== did || !pds)
    throw new PlatformError("rejected", "The DID document of this Bluesky account names no server");
  const handle =
    document.alsoKnownAs
      .find((alias) => alias.startsWith("at://"))
      ?.slice(5)
      .toLowerCase() ?? "";
  return { did, handle, pds };
}

function documentAddress(did: string): [path: string, call?: { host: string }] {
  if (/^did:plc:[a-z2-7]{24}$/.test(did)) return [`/${did}`, { host: "plc" }];
  const host = did.match(/^did:web:([a-z0-9.-]+(?:%3A\d+)?)$/i)?.[1];
  if (!host) throw new PlatformError("rejected", `Carillon does not support Bluesky accounts of this kind: ${did}`);
  return [`https://${decodeURIComponent(host)}/.well-known/did.json`];
}

/** Returns an address's origin, or undefined if it has a path: the protocol addresses servers by origin. */
export function serverOrigin(address: string): string | undefined {
  const url = parseUrl(address);
  return url && isSecureAddress(address) && url.pathname === "/" && url.search === "" ? url.origin : undefined;
}

/** Whether secrets of an account may be sent to an address: https, or this machine. */
function isSecureAddress(address: string): boolean {
  const protocol = parseUrl(address)?.protocol;
  return protocol === "https:" || (protocol === "http:" && isLoopback(address));
}

/** Reads a JSON document from an account's host; returns undefined if it is missing or invalid. */
async function readDocument<T>(app: App, url: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const answer = await app.fetch(url, { accept: [301, 302, 303, 307, 308, 400, 404] });
  if (!answer.ok) return undefined;
  try {
    return schema.parse(parseJson(await answer.text()));
  } catch {
    return undefined;
  }
}

const address = z.string().refine(isSecureAddress);

const resourceSchema = z.object({ authorization_servers: z.array(address).min(1) });

const serverSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  pushed_authorization_request_endpoint: address,
  revocation_endpoint: address.optional(),
});

export type AuthorizationServer = z.output<typeof serverSchema>;

/**
 * Returns the authorization server of a data server (RFC 9728, RFC 8414). The default entryway is an authorization server
 * itself, so a host that refers to no other server is asked for its own metadata.
 */
export async function authorizationServerOf(app: App, host: string): Promise<AuthorizationServer> {
  const resource = await readDocument(app, `${host}/.well-known/oauth-protected-resource`, resourceSchema);
  return readAuthorizationServer(app, resource?.authorization_servers[0] ?? host);
}

/** Reads an authorization server's metadata by its issuer. */
export async function readAuthorizationServer(app: App, issuer: string): Promise<AuthorizationServer> {
  const at = issuer.replace(/\/$/, "");
  const server = await readDocument(app, `${at}/.well-known/oauth-authorization-server`, serverSchema);
  if (!server || server.issuer.replace(/\/$/, "") !== at)
    throw new PlatformError("rejected", "This Bluesky account's server does not support sign-in by OAuth");
  return server;
}

/** Whether an account is on one of Bluesky's own servers, which run the current version of the lexicons. */
export function isOnBlueskyServer({ extra }: Tokens): boolean {
  if (!extra?.pds) return true; // the default entryway is used
  const { hostname } = new URL(extra.pds);
  return hostname === "bsky.social" || hostname.endsWith(".host.bsky.network");
}
