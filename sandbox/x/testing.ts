import { createHash } from "node:crypto";
import { decide, form, type TestSandbox } from "../testing/sandbox";

export const SCOPES = "tweet.read tweet.write users.read media.write offline.access";
export const VERIFIER = "a-verifier-of-at-least-forty-three-characters-123";
export const BASIC = `Basic ${Buffer.from("sandbox-x:sandbox-x-secret").toString("base64")}`;
const CALLBACK = "http://localhost:3000/oauth/connect/callback/x";

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  const query = {
    response_type: "code",
    client_id: "sandbox-x",
    redirect_uri: CALLBACK,
    scope: SCOPES,
    state: "s&1",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  return `${sandbox.url}/x/i/oauth2/authorize?${form({ ...query, ...changed })}`;
}

export async function codeFor(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<string> {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function tokenCall(
  sandbox: TestSandbox,
  fields: Record<string, string>,
  authorization: string | undefined = BASIC,
): Promise<Response> {
  return fetch(`${sandbox.url}/x/2/oauth2/token`, {
    method: "POST",
    headers: authorization ? { authorization } : {},
    body: form(fields),
  });
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}): Promise<Response> {
  return tokenCall(sandbox, {
    grant_type: "authorization_code",
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changed,
  });
}

export type Tokens = {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  token_type: string;
};

export async function connect(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<Tokens> {
  return (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
}

/** Connects a user. Returns calls with their token. */
export async function session(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  const { access_token } = await connect(sandbox, account, changed);
  return sessionWith(sandbox, access_token);
}

export function sessionWith({ url }: { url: string }, token: string): XSession {
  const send = (method: string, path: string, body?: BodyInit, type?: string) =>
    fetch(`${url}/x/2/${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${token}`, ...(type ? { "content-type": type } : {}) },
    });
  return {
    /** The same token at a restarted sandbox, which has another port. */
    at: ({ url: newUrl }: { url: string }): XSession => sessionWith({ url: newUrl }, token),
    get: (path: string) => send("GET", path),
    delete: (path: string) => send("DELETE", path),
    post: (path: string, body: unknown) => send("POST", path, JSON.stringify(body), "application/json"),
    async multipart(path: string, bytes: Uint8Array, fields: Record<string, string>): Promise<Response> {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set("media", new Blob([new Uint8Array(bytes)]), "media");
      return send("POST", path, body);
    },
  };
}

export type XSession = {
  at(restarted: { url: string }): XSession;
  get(path: string): Promise<Response>;
  delete(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  multipart(path: string, bytes: Uint8Array, fields: Record<string, string>): Promise<Response>;
};

export async function uploadImage(x: XSession, bytes: Uint8Array): Promise<string> {
  const answer = await x.multipart("media/upload", bytes, { media_category: "tweet_image" });
  return (await answer.json()).data.id;
}

export async function uploadChunked(x: XSession, bytes: Uint8Array, category: string, type: string): Promise<Response> {
  const started = await x.post("media/upload/initialize", {
    media_type: type,
    total_bytes: bytes.byteLength,
    media_category: category,
  });
  const { id } = (await started.json()).data;
  const half = Math.ceil(bytes.byteLength / 2);
  await x.multipart(`media/upload/${id}/append`, bytes.subarray(0, half), { segment_index: "0" });
  await x.multipart(`media/upload/${id}/append`, bytes.subarray(half), { segment_index: "1" });
  return x.post(`media/upload/${id}/finalize`, {});
}
