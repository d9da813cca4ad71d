import { randomInt } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../errors";
import type { NetworkCall, NetworkSession, Profile } from "../network";
import { readAnswer } from "../wire/json";
import { query } from "../wire/query";
import { withNonce } from "./oauth-client";

const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/**
 * Returns a generator of unique record keys (atproto.com/specs/tid): microseconds since 1970 and ten random bits per
 * generator, in 13 letters that sort by time. Clocks have millisecond resolution and can be set back, so each key is made
 * later than the previous one.
 */
export function recordKeys(): (now?: number) => string {
  const writer = BigInt(randomInt(1024));
  let last = 0;
  return (now = Date.now()) => {
    const earliest = now * 1000;
    last = last < earliest ? earliest + randomInt(1000) : last + 1;
    let rest = BigInt(last) * 1024n + writer;
    let key = "";
    for (let place = 0; place < 13; place++) {
      key = LETTERS.charAt(Number(rest % 32n)) + key;
      rest /= 32n;
    }
    return key;
  };
}

/** Returns the next key of this process. */
export const newRecordKey = recordKeys();

/** A stored file as records refer to it (atproto.com/specs/data-model, "blob type"); must be passed on unchanged. */
export const blobSchema = z.looseObject({
  $type: z.literal("blob"),
  ref: z.object({ $link: z.string() }),
});
export type Blob = z.output<typeof blobSchema>;

/** A reference to one version of a record. */
export type StrongRef = { uri: string; cid: string };

export const POSTS = "app.bsky.feed.post";
const GATES = "app.bsky.feed.threadgate";

/** Returns an address on the account's own server, or on the default host if the server is unknown (in a dry run). */
export function serverAddress(session: NetworkSession, path: string): string {
  return `${session.tokens.extra?.pds ?? session.app.url("", "api")}/xrpc/${path}`;
}

/** Makes an authenticated call. `request` is called again if the server asks for a nonce first, to create a new body. */
export function call(
  session: NetworkSession,
  path: string,
  request: () => NetworkCall | Promise<NetworkCall>,
): Promise<Response> {
  return withNonce(async () => session.fetch(serverAddress(session, path), await request()));
}

const json = (body: object): NetworkCall => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const sessionSchema = z.object({
  did: z.string(),
  handle: z.string(),
  active: z.boolean().optional(),
  status: z.string().optional(),
});
const profileSchema = z.object({ displayName: z.string().optional(), avatar: z.string().optional() });
const profileRecordSchema = z.object({ value: z.object({ displayName: z.string().optional() }) });

/** Reads the account from its own server, and its display name and avatar from Bluesky's AppView. */
export async function profile(session: NetworkSession): Promise<Profile> {
  const { did, handle, active, status } = await readAnswer(
    "Bluesky",
    sessionSchema,
    await call(session, "com.atproto.server.getSession", () => ({})),
  );
  if (did !== session.tokens.extra?.did)
    throw new PlatformError("reconnect", "Bluesky answered for a different account than the connected one");
  if (active === false)
    throw new PlatformError("reconnect", `Bluesky currently does not let this account post (${status ?? "inactive"})`);
  const { displayName, avatar } = await publicProfile(session, did);
  return { accountId: did, username: handle, displayName: displayName || handle, avatarUrl: avatar };
}

/** Independent servers are not covered by an AppView, so the account's own profile record is the fallback. */
async function publicProfile(session: NetworkSession, did: string): Promise<z.output<typeof profileSchema>> {
  try {
    const path = `/xrpc/app.bsky.actor.getProfile?${query({ actor: did })}`;
    return await readAnswer("Bluesky", profileSchema, await session.app.fetch(path, { host: "appview" }));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
  }
  try {
    const parameters = query({ repo: did, collection: "app.bsky.actor.profile", rkey: "self" });
    const answer = await session.fetch(serverAddress(session, `com.atproto.repo.getRecord?${parameters}`), {
      auth: "none",
    });
    return (await readAnswer("Bluesky", profileRecordSchema, answer)).value;
  } catch (error) {
    if (error instanceof PlatformError) return {};
    throw error;
  }
}

/** docs.bsky.app/docs/api/com-atproto-repo-upload-blob: the server inspects the bytes and may report another type. */
export async function uploadBlob(session: NetworkSession, bytes: Uint8Array, contentType: string): Promise<Blob> {
  const headers = { "content-type": contentType };
  const request = () => ({ method: "POST", headers, body: bytes, timeoutSeconds: 120 });
  const answer = await call(session, "com.atproto.repo.uploadBlob", request);
  return (await readAnswer("Bluesky", z.object({ blob: blobSchema }), answer)).blob;
}

const writtenSchema = z.object({ uri: z.string().startsWith("at://"), cid: z.string() });

/** Creates a post under a key we chose. Repeating the same record has no effect; a different record under the key is refused. */
export async function putPost(session: NetworkSession, rkey: string, record: object): Promise<StrongRef> {
  const body = { repo: session.accountId, collection: POSTS, rkey, record, swapRecord: null };
  const answer = await call(session, "com.atproto.repo.putRecord", () => json(body));
  return readAnswer("Bluesky", writtenSchema, answer);
}

/**
 * Creates a post and the record that says who can reply to it, both or neither
 * (docs.bsky.app/docs/api/com-atproto-repo-apply-writes). The server refuses the call if one of them exists, so repeating it
 * creates nothing.
 */
export async function createPostWithGate(
  session: NetworkSession,
  rkey: string,
  record: object,
  gate: object,
): Promise<{ uri: string }> {
  const uri = `at://${session.accountId}/${POSTS}/${rkey}`;
  const create = (collection: string, value: object) => ({
    $type: "com.atproto.repo.applyWrites#create",
    collection,
    rkey,
    value,
  });
  const writes = [create(POSTS, record), create(GATES, { $type: GATES, post: uri, ...gate })];
  const body = { repo: session.accountId, writes };
  await readAnswer("Bluesky", z.object({}), await call(session, "com.atproto.repo.applyWrites", () => json(body)));
  return { uri };
}

const viewsSchema = z.object({ posts: z.array(z.object({ uri: z.string(), cid: z.string() })) });

/** Reads a post of any account from Bluesky's AppView; undefined if it does not exist (docs.bsky.app/docs/api/app-bsky-feed-get-posts). */
export async function publicPost({ app }: NetworkSession, did: string, key: string): Promise<StrongRef | undefined> {
  const path = `/xrpc/app.bsky.feed.getPosts?${query({ uris: `at://${did}/${POSTS}/${key}` })}`;
  const [post] = (await readAnswer("Bluesky", viewsSchema, await app.fetch(path, { host: "appview" }))).posts;
  return post && { uri: post.uri, cid: post.cid };
}

const postSchema = z.object({
  uri: z.string(),
  cid: z.string(),
  value: z.object({ reply: z.object({ root: z.object({ uri: z.string(), cid: z.string() }) }).optional() }),
});

/** Reads a post from the account's server without authentication; returns undefined if it does not exist (status 400, not 404). */
export async function readPost(
  session: NetworkSession,
  rkey: string,
): Promise<z.output<typeof postSchema> | undefined> {
  const parameters = query({ repo: session.accountId, collection: POSTS, rkey });
  const address = serverAddress(session, `com.atproto.repo.getRecord?${parameters}`);
  try {
    return await readAnswer("Bluesky", postSchema, await session.fetch(address, { auth: "none" }));
  } catch (error) {
    if (error instanceof PlatformError && error.answer?.code === "RecordNotFound") return undefined;
    throw error;
  }
}

const listedSchema = z.object({
  uri: z.string(),
  value: z.object({
    text: z.string().default(""),
    createdAt: z.string(),
    reply: z.object({ parent: z.object({ uri: z.string() }) }).optional(),
  }),
});
const listSchema = z.object({ records: z.array(listedSchema) });

export const POSTS_LISTED = 100;

/** docs.bsky.app/docs/api/com-atproto-repo-list-records: the account's newest posts, by their keys; without authentication. */
export async function newestPosts(session: NetworkSession): Promise<z.output<typeof listedSchema>[]> {
  const parameters = query({ repo: session.accountId, collection: POSTS, limit: String(POSTS_LISTED) });
  const address = serverAddress(session, `com.atproto.repo.listRecords?${parameters}`);
  return (await readAnswer("Bluesky", listSchema, await session.fetch(address, { auth: "none" }))).records;
}

/** Requests a token that lets one service call one method of another on the account's behalf (atproto.com/specs/xrpc). */
export async function serviceToken(
  session: NetworkSession,
  { aud, lxm, seconds }: { aud: string; lxm: string; seconds: number },
) {
  const exp = String(Math.floor(Date.now() / 1000) + seconds);
  const path = `com.atproto.server.getServiceAuth?${query({ aud, lxm, exp })}`;
  const answer = await call(session, path, () => ({}));
  return (await readAnswer("Bluesky", z.object({ token: z.string() }), answer)).token;
}
