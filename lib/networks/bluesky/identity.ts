import { z } from "zod";
import { isLoopback } from "../../env";
import { PlatformError } from "../errors";
import type { App } from "../network";
import { parseJson, readAnswer } from "../wire/json";
import { query } from "../wire/query";

/** Whose account it is and where it lives. */
export type Identity = { did: string; handle: string; pds: string };

const didSchema = z.object({ did: z.string().startsWith("did:") });

const documentSchema = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).default([]),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })).default([]),
});

/** A handle as people type or paste it: at signs, invisible characters, no domain. */
export function normalHandle(typed: string): string {
  const bare = typed
    .replace(/[\p{C}\s]/gu, "")
    .replace(/^@/, "")
    .toLowerCase();
  return bare.includes(".") || bare.startsWith("did:") ? bare : `${bare}.bsky.social`;
}

/** atproto.com/specs/handle: labels of letters, digits and hyphens, the last one not a number. */
export function isHandle(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text);
}

/** Who a handle or a DID is; for a handle both directions must agree. */
export async function resolveIdentity(app: App, account: string): Promise<Identity> {
  if (account.startsWith("did:")) return identityOf(app, account);
  const did = isHandle(account) ? await resolveHandle(app, account) : undefined;
  if (!did) throw new PlatformError("rejected", `Bluesky knows nobody by the name ${account}`);
  const identity = await identityOf(app, did);
  if (identity.handle !== account)
    throw new PlatformError("rejected", `The Bluesky name ${account} is not confirmed by the account that it leads to`);
  return identity;
}

/** The DID behind a handle, by the service that looks at DNS and the handle's own host for everybody; undefined for nobody's. */
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
 * A DID's document: where the account lives, and which handle it says is its own.
 * @throws PlatformError `rejected` where there is no such account
 */
export async function identityOf(app: App, did: string): Promise<Identity> {
  const answer = await app.fetch(...documentAddress(did)).catch((error: unknown) => {
    const status = error instanceof PlatformError ? error.answer?.status : undefined;
    if (status !== 404 && status !== 410) throw error;
    throw new PlatformError("rejected", "This Bluesky account does not exist any more");
  });
  const document = await readAnswer("Bluesky", documentSchema, answer);
  const service = document.service.find(({ id }) => id === "#atproto_pds" || id === `${did}#atproto_pds`);
  const pds = typeof service?.serviceEndpoint === "string" ? originOf(service.serviceEndpoint) : undefined;
  if (document.id !== did || !pds)
    throw new PlatformError("rejected", "This Bluesky account names no server of its own");
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
  if (!host) throw new PlatformError("rejected", `Bluesky accounts of this kind are not known: ${did}`);
  return [`https://${decodeURIComponent(host)}/.well-known/did.json`];
}

/** An address without a path: the protocol knows origins only. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname, search } = new URL(address);
  return isSafe(address) && pathname === "/" && search === "" ? origin : undefined;
}

/** Whether an account's secrets may be sent there: https, or this very machine. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopback(address));
}

/** JSON that is not an answer to a call of ours but a document on somebody's host; undefined where it is anything else. */
export async function documentAt<T>(app: App, url: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const answer = await app.fetch(url, { accept: [301, 302, 303, 307, 308, 400, 404] });
  if (!answer.ok) return undefined;
  try {
    return schema.parse(parseJson(await answer.text()));
  } catch {
    return undefined;
  }
}
