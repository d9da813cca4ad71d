import { createHash } from "node:crypto";
import type { Call } from "../core/network";
import { avatarPath, isUserName } from "../core/users";
import { invalidRequest } from "./errors";
import type { BlueskyState } from "./state";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
/** Each account has a handle on the first domain. The second one is accepted too, because Bluesky's own handles have it. */
const DOMAINS = [".bsky.test", ".bsky.social"] as const;

/** `did:plc:` and 24 characters, the same for a name in every sandbox. */
export function didOf(name: string): string {
  const hash = createHash("sha256").update(`bluesky\n${name}`).digest();
  return `did:plc:${[...hash.subarray(0, 24)].map((byte) => LETTERS[byte % 32]).join("")}`;
}

/** The user's current handle. */
export function handleOf(state: BlueskyState, name: string): string {
  return state.accounts.get(name)?.handle ?? handlesOf(name)[0];
}

/** All handles that lead to the user. Handles cannot contain underscores. */
function handlesOf(name: string): [string, string] {
  const label = name.replaceAll("_", "-");
  return [label + DOMAINS[0], label + DOMAINS[1]];
}

/** The user with this handle or DID. Undefined for names that were never used. */
export function findUser(state: BlueskyState, account: string): string | undefined {
  const people = state.world.users.list("bluesky").map(({ name }) => name);
  return people.find((name) => didOf(name) === account || handlesOf(name).includes(account.toLowerCase()));
}

/** The entryway, where users sign in, and the data server, which hosts accounts: two origins, so that clients must tell them apart. */
export function originsOf(call: Call): { entryway: string; server: string; isServer: boolean } {
  const { port, hostname } = new URL(call.req.url);
  return {
    entryway: `http://localhost:${port}`,
    server: `http://127.0.0.1:${port}`,
    isServer: hostname === "127.0.0.1",
  };
}

/** Repositories are only on the data server; the entryway has none. */
export function assertDataServer(call: Call, did: string): void {
  if (!originsOf(call).isServer) throw invalidRequest(`Could not find repo: ${did}`, "RepoNotFound");
}

/** The DID of the data server. The colon before the port is written as %3A (atproto.com/specs/did, "did:web"). */
export function serverDid(call: Call): string {
  return `did:web:${new URL(originsOf(call).server).host.replace(":", "%3A")}`;
}

/** `com.atproto.identity.resolveHandle` */
export function resolveHandle(state: BlueskyState, call: Call): Response {
  const handle = call.req.query("handle") ?? "";
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]+$/i.test(handle))
    throw invalidRequest(`Error: handle must be a valid handle`);
  const name = findUser(state, handle) ?? createUserFor(state, handle);
  if (!name) throw invalidRequest("Unable to resolve handle");
  chooseHandle(state, name, handle.toLowerCase());
  return call.json({ did: didOf(name) });
}

/** The account's document claims one handle only, so it is the one by which the account was last looked up. */
function chooseHandle(state: BlueskyState, name: string, handle: string): void {
  if (handleOf(state, name) !== handle) state.accounts.put(name, { ...state.accounts.get(name), handle });
}

/** Creates the user for a valid but unused handle, so that tests can connect any name. */
function createUserFor(state: BlueskyState, handle: string): string | undefined {
  const domain = DOMAINS.find((one) => handle.toLowerCase().endsWith(one));
  const name = domain ? handle.toLowerCase().slice(0, -domain.length) : "";
  return isUserName(name) ? state.world.users.findOrCreate("bluesky", name).name : undefined;
}

/** `GET https://plc.directory/<did>` */
export function identityDocument(state: BlueskyState, call: Call): Response {
  const did = decodeURIComponent(call.req.param("did") ?? "");
  const name = findUser(state, did);
  if (!name) return call.json({ message: `DID not registered: ${did}` }, 404);
  return call.json(documentOf(state, call, name), 200, { "content-type": "application/did+ld+json" });
}

export function documentOf(state: BlueskyState, call: Call, name: string) {
  const alias = state.accounts.get(name)?.alias ?? handleOf(state, name);
  return {
    "@context": ["https://www.w3.org/ns/did/v1"],
    id: didOf(name),
    alsoKnownAs: [`at://${alias}`],
    verificationMethod: [],
    service: [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint: originsOf(call).server }],
  };
}

/** `app.bsky.actor.getProfile` of the public AppView. */
export function getProfile(state: BlueskyState, call: Call): Response {
  const name = findUser(state, call.req.query("actor") ?? "");
  if (!name) throw invalidRequest("Profile not found");
  const person = state.world.users.findOrCreate("bluesky", name);
  return call.json({
    did: didOf(name),
    handle: handleOf(state, name),
    displayName: person.displayName,
    avatar: new URL(avatarPath("bluesky", name, ""), call.req.url).href,
    postsCount: 0,
  });
}
