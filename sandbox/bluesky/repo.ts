import * as z from "zod";
import type { Call } from "../core/network";
import { type Access, assertRepo, authenticate, takePoints } from "./access";
import { blobsOf, cidOfRecord } from "./blobs";
import { authRequired, invalidRequest, XrpcError } from "./errors";
import { assertDataServer, findUser } from "./identity";
import { lexiconProblem, oldLexiconProblem, type PostRecord } from "./lexicon";
import type { BlueskyState, StoredRecord } from "./state";

const POSTS = "app.bsky.feed.post";
const GATES = "app.bsky.feed.threadgate";
const TID = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;

const Write = z.object({
  repo: z.string(),
  collection: z.string(),
  rkey: z.string().optional(),
  record: z.record(z.string(), z.unknown()),
  swapRecord: z.string().nullish(),
});
type Write = z.output<typeof Write>;

async function parseWrite(state: BlueskyState, call: Call): Promise<{ access: Access; write: Write }> {
  const access = await authenticate(state, call);
  assertDataServer(call, access.did);
  const body = Write.safeParse(await call.req.json().catch(() => undefined));
  if (!body.success) throw invalidRequest(`Input/${body.error.issues[0]?.path.join("/")} is invalid`);
  if (findUser(state, body.data.repo) !== access.account) throw authRequired();
  if (body.data.collection !== POSTS)
    throw invalidRequest("The sandbox supports only the collection app.bsky.feed.post");
  return { access, write: body.data };
}

/** `com.atproto.repo.createRecord` */
export async function createRecord(state: BlueskyState, call: Call): Promise<Response> {
  const { access, write } = await parseWrite(state, call);
  if (access.scopes) assertRepo(access.scopes, POSTS, "create");
  takePoints(state, call, access.did, 3);
  const rkey = write.rkey ?? tidNow(state);
  if (state.records.get(keyOf(access.did, rkey)))
    throw new XrpcError(500, "InternalServerError", "Internal Server Error"); // the reference server responds the same way
  return call.json(presentWrite(state, storeRecord(state, access, rkey, write.record)));
}

const Create = z.strictObject({
  $type: z.literal("com.atproto.repo.applyWrites#create"),
  collection: z.enum([POSTS, GATES], "The sandbox supports only posts and thread gates"),
  rkey: z.string().regex(TID, "Invalid TID string"),
  value: z.record(z.string(), z.unknown()),
});
const Writes = z.object({ repo: z.string(), writes: z.array(Create) });

/** `com.atproto.repo.applyWrites`: creates all records or none. The sandbox supports only creations. */
export async function applyWrites(state: BlueskyState, call: Call): Promise<Response> {
  const access = await authenticate(state, call);
  assertDataServer(call, access.did);
  const body = Writes.safeParse(await call.req.json().catch(() => undefined));
  if (!body.success) throw invalidRequest(`Input/${body.error.issues[0]?.path.join("/")} is invalid`);
  const { repo, writes } = body.data;
  if (findUser(state, repo) !== access.account) throw authRequired();
  for (const { collection } of writes) if (access.scopes) assertRepo(access.scopes, collection, "create");
  takePoints(state, call, access.did, 3 * writes.length);
  for (const { collection, value } of writes) {
    const problem = lexiconProblem(value, collection);
    if (problem) throw invalidRequest(problem);
    blobsOf(state, access.did, value);
  }
  if (writes.some(({ collection, rkey }) => state.records.get(keyOf(access.did, rkey, collection))))
    throw new XrpcError(500, "InternalServerError", "Internal Server Error"); // the reference server responds the same way
  const results = state.world.transaction(() =>
    writes.map(({ collection, rkey, value }) => {
      const stored =
        collection === POSTS ? storeRecord(state, access, rkey, value) : storeGate(state, access, rkey, value);
      const { uri, cid, validationStatus } = presentWrite(state, stored);
      return { $type: "com.atproto.repo.applyWrites#createResult", uri, cid, validationStatus };
    }),
  );
  return call.json({ commit: { cid: results[0]?.cid, rev: tidNow(state) }, results });
}

/** Stores who can reply to a post. Its key must be the post's, and the post must be in the same repository. */
function storeGate(state: BlueskyState, { did }: Access, rkey: string, value: Record<string, unknown>): StoredRecord {
  const uri = `at://${did}/${GATES}/${rkey}`;
  const post = state.world.posts.list("bluesky").find(({ id }) => id === `at://${did}/${POSTS}/${rkey}`);
  // The reference server accepts other gates too, but they have no effect.
  if (post && value.post === post.id)
    state.world.posts.add({ ...post, settings: { ...post.settings, allow: value.allow } });
  return state.records.put(keyOf(did, rkey, GATES), { uri, cid: cidOfRecord(value), rkey, did, value });
}

/** `app.bsky.feed.getPosts` of the AppView: missing posts are left out. */
export function getPosts(state: BlueskyState, call: Call): Response {
  const uris = call.req.queries("uris") ?? [];
  if (uris.length === 0 || uris.length > 25) throw invalidRequest("Params must have 1 to 25 uris");
  const found = [...state.records.values()].filter(({ uri }) => uris.includes(uri));
  return call.json({ posts: found.map(({ uri, cid, value, did }) => ({ uri, cid, author: { did }, record: value })) });
}

/** `com.atproto.repo.putRecord`: identical content changes nothing; other content needs a matching `swapRecord`, if given. */
export async function putRecord(state: BlueskyState, call: Call): Promise<Response> {
  const { access, write } = await parseWrite(state, call);
  const { rkey = "", record, swapRecord } = write;
  for (const action of ["create", "update"] as const) if (access.scopes) assertRepo(access.scopes, POSTS, action);
  takePoints(state, call, access.did, 2);
  const current = state.records.get(keyOf(access.did, rkey));
  if (current && current.cid === cidOfRecord(record))
    return call.json({ ...presentWrite(state, current), commit: undefined });
  const isSwap = swapRecord !== undefined;
  if (isSwap && (swapRecord ?? undefined) !== current?.cid)
    throw invalidRequest(`Record was at ${current?.cid ?? "null"}`, "InvalidSwap");
  return call.json(presentWrite(state, storeRecord(state, access, rkey, record)));
}

/** `com.atproto.repo.getRecord`: public. A missing record is 400, not 404. */
export function getRecord(state: BlueskyState, call: Call): Response {
  const { repo = "", collection, rkey = "" } = call.req.query();
  const account = findUser(state, repo);
  assertDataServer(call, repo);
  if (!account) throw invalidRequest(`Could not find repo: ${repo}`, "RepoNotFound");
  call.get("entry").account = account;
  const record = state.records.get(keyOf(repo, rkey, collection));
  if (!record) throw invalidRequest(`Could not locate record: at://${repo}/${collection}/${rkey}`, "RecordNotFound");
  return call.json({ uri: record.uri, cid: record.cid, value: record.value });
}

/** `com.atproto.repo.listRecords`: public. The newest records come first, by their keys. */
export function listRecords(state: BlueskyState, call: Call): Response {
  const { repo = "", collection, limit = "50" } = call.req.query();
  const account = findUser(state, repo);
  assertDataServer(call, repo);
  if (!account) throw invalidRequest(`Could not find repo: ${repo}`, "RepoNotFound");
  const most = Number(limit);
  if (!(most >= 1 && most <= 100)) throw invalidRequest("Params/limit must be an integer from 1 to 100");
  call.get("entry").account = account;
  const found =
    collection === POSTS
      ? [...state.records.values()].filter(({ uri }) => uri.startsWith(`at://${repo}/${POSTS}/`))
      : [];
  const newest = [...found].sort((one, other) => (one.uri < other.uri ? 1 : -1)).slice(0, most);
  return call.json({ records: newest.map(({ uri, cid, value }) => ({ uri, cid, value })) });
}

/** `com.atproto.repo.deleteRecord`: succeeds for missing records too. */
export async function deleteRecord(state: BlueskyState, call: Call): Promise<Response> {
  const access = await authenticate(state, call);
  assertDataServer(call, access.did);
  const { rkey } = z.object({ rkey: z.string() }).parse(await call.req.json());
  if (access.scopes) assertRepo(access.scopes, POSTS, "delete");
  takePoints(state, call, access.did, 1);
  const record = state.records.get(keyOf(access.did, rkey));
  if (record) state.world.posts.remove("bluesky", record.uri);
  state.records.delete(keyOf(access.did, rkey));
  return call.json({});
}

const keyOf = (did: string, rkey: string, collection = POSTS) =>
  collection === POSTS ? `${did}/${rkey}` : `${did}/${collection}/${rkey}`;

const presentWrite = (state: BlueskyState, { uri, cid }: StoredRecord) => ({
  uri,
  cid,
  commit: { cid, rev: tidNow(state) },
  validationStatus: "valid",
});

function storeRecord(
  state: BlueskyState,
  { account, did }: Access,
  rkey: string,
  value: Record<string, unknown>,
): StoredRecord {
  const problem = lexiconProblem(value);
  if (problem) throw invalidRequest(problem);
  if (!TID.test(rkey)) throw invalidRequest(`Invalid record key for ${POSTS}: Invalid TID string (got "${rkey}")`);
  const record = value as PostRecord; // `lexiconProblem` has validated it
  const oldProblem = state.accounts.get(account)?.isOnOldServer ? oldLexiconProblem(record) : undefined;
  if (oldProblem) throw invalidRequest(oldProblem);
  const blobs = blobsOf(state, did, value);
  const uri = `at://${did}/${POSTS}/${rkey}`;
  return state.world.transaction(() => {
    for (const blob of blobs) state.blobs.put(keyOf(did, blob.cid), { ...blob, isHeld: true });
    const { text, reply, $type: _, ...settings } = record;
    state.world.posts.add({
      id: uri,
      network: "bluesky",
      account,
      text,
      media: blobs.map(({ file }) => file),
      ...(reply ? { replyTo: reply.parent.uri } : {}),
      settings: { ...settings, ...(reply ? { root: reply.root.uri } : {}) },
      permalink: `https://bsky.app/profile/${did}/post/${rkey}`,
      receivedTime: new Date(state.world.clock.now()).toISOString(),
    });
    return state.records.put(keyOf(did, rkey), { uri, cid: cidOfRecord(value), rkey, did, value });
  });
}

function tidNow(state: BlueskyState): string {
  const letters = "234567abcdefghijklmnopqrstuvwxyz";
  let rest = BigInt(state.world.ids.stamp("")) * 1024n;
  let tid = "";
  for (let place = 0; place < 13; place++) {
    tid = letters.charAt(Number(rest % 32n)) + tid;
    rest /= 32n;
  }
  return tid;
}
