import { createHash } from "node:crypto";
import { decide, form, type TestSandbox } from "../testing/sandbox";

export const CALLBACK = "http://localhost:3000/oauth/connect/callback/youtube";
const PREFIX = "https://www.googleapis.com/auth/";
export const SCOPES = `${PREFIX}youtube.upload ${PREFIX}youtube.readonly`;
export const UPLOAD_ONLY = `${PREFIX}youtube.upload`;
export const CLIENT = { client_id: "sandbox-youtube", client_secret: "sandbox-youtube-secret" };
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const query = {
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: SCOPES,
    state: "st",
    access_type: "offline",
    prompt: "consent",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  };
  return `${sandbox.url}/youtube/o/oauth2/v2/auth?${form({ ...query, ...changed })}`;
}

export async function codeFor(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function tokenCall(sandbox: TestSandbox, fields: Record<string, string>): Promise<Response> {
  return fetch(`${sandbox.url}/youtube/token`, { method: "POST", body: form({ ...CLIENT, ...fields }) });
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}) {
  const fields = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
  return tokenCall(sandbox, { ...fields, ...changed });
}

export async function connect(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
}

/** Connects a user. Returns calls with their token. */
export async function api(sandbox: TestSandbox, account: string, changed: Record<string, string> = {}) {
  const { access_token: token } = await connect(sandbox, account, changed);
  const authorization = `Bearer ${token}`;
  const base = `${sandbox.url}/youtube`;
  const get = (path: string) => fetch(`${base}/youtube/v3/${path}`, { headers: { authorization } });
  return {
    get,
    open: (snippet: object = {}, status: object = { privacyStatus: "public" }, part = "snippet,status") =>
      fetch(`${base}/upload/youtube/v3/videos?uploadType=resumable&part=${part}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", "x-upload-content-type": "video/mp4" },
        body: JSON.stringify({ snippet: { title: "A title", ...snippet }, status }),
      }),
    async video(id: string) {
      return (await (await get(`videos?part=status,processingDetails,snippet&id=${id}`)).json()).items[0];
    },
    thumbnail: (id: string, bytes: Uint8Array, type = "image/jpeg") =>
      fetch(`${base}/upload/youtube/v3/thumbnails/set?videoId=${id}&uploadType=media`, {
        method: "POST",
        headers: { authorization, "content-type": type },
        body: new Blob([new Uint8Array(bytes)]),
      }),
  };
}

/** Sends bytes. `range` is `0-99/100`, or a star instead of the range to query the status. */
export function put(uri: string, bytes: Uint8Array, range?: string): Promise<Response> {
  const headers: Record<string, string> = range === undefined ? {} : { "content-range": `bytes ${range}` };
  const body = bytes.length > 0 ? new Blob([new Uint8Array(bytes)]) : undefined;
  return fetch(uri, { method: "PUT", headers, body, redirect: "manual" });
}

/** Status and reason of an error response. */
export async function errorOf(answer: Response): Promise<[number, string]> {
  const body = await answer.json();
  return [answer.status, body.error?.errors?.[0]?.reason ?? body.error];
}
