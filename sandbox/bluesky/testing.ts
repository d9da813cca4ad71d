import { createHash, randomBytes, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { TestSandbox } from "../testing/sandbox";

/** The data server: the second of the sandbox's two origins. */
export const serverOf = ({ url }: TestSandbox) => url.replace("localhost", "127.0.0.1");

export type XrpcAnswer = { status: number; body: Record<string, unknown>; headers: Headers };

export async function answerOf(response: Promise<Response>): Promise<XrpcAnswer> {
  const { status, headers, ...answer } = await response.then(async (one) => ({
    status: one.status,
    headers: one.headers,
    text: await one.text(),
  }));
  return { status, headers, body: answer.text.startsWith("{") ? JSON.parse(answer.text) : {} };
}

/** Signs in by app password. Returns calls with that session. */
export async function signedIn(sandbox: TestSandbox, account = "alice") {
  const server = serverOf(sandbox);
  const credentials = { identifier: `${account}.bsky.test`, password: "sand-box7-pass-word" };
  const { body } = await answerOf(post(`${server}/xrpc/com.atproto.server.createSession`, credentials));
  const authorization = `Bearer ${body.accessJwt}`;
  const did = String(body.did);
  const call = (nsid: string, json: object, from = server) =>
    answerOf(post(`${from}/xrpc/${nsid}`, json, { authorization }));
  return {
    did,
    accessJwt: String(body.accessJwt),
    refreshJwt: String(body.refreshJwt),
    call,
    get: (path: string) => answerOf(fetch(`${server}/xrpc/${path}`, { headers: { authorization } })),
    upload: (bytes: Uint8Array, type: string) =>
      answerOf(
        fetch(`${server}/xrpc/com.atproto.repo.uploadBlob`, {
          method: "POST",
          headers: { authorization, "content-type": type },
          body: new Uint8Array(bytes),
        }),
      ),
    put: (rkey: string, record: object, more: object = { swapRecord: null }) =>
      call("com.atproto.repo.putRecord", { repo: did, collection: "app.bsky.feed.post", rkey, record, ...more }),
    create: (record: object, rkey?: string) =>
      call("com.atproto.repo.createRecord", { repo: did, collection: "app.bsky.feed.post", rkey, record }),
  };
}

export function post(url: string, json: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(json),
  });
}

export const postOf = (more: object = {}) => ({
  $type: "app.bsky.feed.post",
  text: `Words ${randomUUID()}`,
  createdAt: "2026-11-20T12:00:00.000Z",
  ...more,
});

const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/** A valid, unused record key. */
export const key = () => `3k${[...randomBytes(11)].map((byte) => LETTERS[byte % 32]).join("")}`;

/** Creates a key pair. Returns a function that signs DPoP proofs with it. */
export async function prover() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk: JWK = await exportJWK(publicKey);
  return (method: string, url: string, claims: object = {}) =>
    new SignJWT({ htm: method, htu: url, ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
      .setIssuedAt()
      .setJti(randomUUID())
      .sign(privateKey);
}

export const verifier = randomBytes(32).toString("base64url");
const CALLBACK = "http://127.0.0.1:3000/cb";
const SCOPE = "atproto repo:app.bsky.feed.post?action=create";

/** Sends a pushed authorization request as a loopback client. `fields` override the default ones. */
export async function push(sandbox: TestSandbox, fields: Record<string, string> = {}, claims: object = {}) {
  const url = `${sandbox.url}/bluesky/oauth/par`;
  const prove = await prover();
  const redirect = new URLSearchParams({ redirect_uri: CALLBACK, scope: SCOPE });
  const body = new URLSearchParams({
    client_id: `http://localhost?${redirect}`,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: SCOPE,
    state: "s",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...fields,
  });
  const send = async (more: object) =>
    answerOf(fetch(url, { method: "POST", headers: { dpop: await prove("POST", url, more) }, body }));
  const first = await send({});
  return { first, answer: await send({ nonce: first.headers.get("dpop-nonce"), ...claims }) };
}
