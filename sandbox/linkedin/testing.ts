import { decide, form, type TestSandbox } from "../testing/sandbox";

export const SCOPES = "openid profile w_member_social";
export const CLIENT = { client_id: "sandbox-linkedin", client_secret: "sandbox-linkedin-secret" };
export const VERSION = { "linkedin-version": "202609", "x-restli-protocol-version": "2.0.0" };
const CALLBACK = "http://localhost:3000/oauth/connect/callback/linkedin";

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const query = {
    response_type: "code",
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    state: "s&1",
    scope: SCOPES,
  };
  return `${sandbox.url}/linkedin/oauth/v2/authorization?${form({ ...query, ...changed })}`;
}

export async function codeFor(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function tokenCall(sandbox: TestSandbox, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, { method: "POST", headers, body: form(fields) });
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}): Promise<Response> {
  const fields = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...CLIENT };
  return tokenCall(sandbox, { ...fields, ...changed });
}

export type Tokens = { access_token: string; refresh_token?: string };

export async function connect(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<Tokens> {
  return (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
}

/** Connects a member. Returns calls with their token. */
export async function session(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  const { access_token } = await connect(sandbox, account, changed);
  return sessionWith(sandbox, access_token);
}

export async function sessionWith(sandbox: TestSandbox, token: string) {
  const authorization = `Bearer ${token}`;
  const at = (path: string) => `${sandbox.url}/linkedin/${path}`;
  const get = (path: string, headers: Record<string, string> = VERSION) =>
    fetch(at(path), { headers: { authorization, ...headers } });
  const { sub } = await (await get("v2/userinfo", {})).json();
  const author = `urn:li:person:${sub}`;
  const post = (path: string, body: unknown, headers: Record<string, string> = VERSION) =>
    fetch(at(path), {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const publish = (fields: object = {}) => post("rest/posts", { ...postBy(author), ...fields });
  return { authorization, author, get, post, publish };
}

export type Session = Awaited<ReturnType<typeof session>>;

export function postBy(author: string) {
  return {
    author,
    commentary: "Hello",
    visibility: "PUBLIC",
    distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: "PUBLISHED",
  };
}

export function put(url: string, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "PUT", body: new Uint8Array(bytes), headers });
}

export async function beginImage(one: Session): Promise<{ uploadUrl: string; image: string }> {
  const body = { initializeUploadRequest: { owner: one.author } };
  return (await (await one.post("rest/images?action=initializeUpload", body)).json()).value;
}

export async function image(one: Session, bytes: Uint8Array): Promise<string> {
  const { uploadUrl, image: urn } = await beginImage(one);
  const { status } = await put(uploadUrl, bytes, { authorization: one.authorization });
  if (status !== 201) throw new Error(`the image upload returned ${status}`);
  return urn;
}

export type Upload = {
  video: string;
  uploadToken: string;
  uploadInstructions: { uploadUrl: string; firstByte: number; lastByte: number }[];
  thumbnailUploadUrl?: string;
};

export async function beginVideo(one: Session, fileSizeBytes: number, more: object = {}): Promise<Upload> {
  const body = { initializeUploadRequest: { owner: one.author, fileSizeBytes, ...more } };
  return (await (await one.post("rest/videos?action=initializeUpload", body)).json()).value;
}

/** Uploads every part. Returns their ETags. */
export async function sendParts({ uploadInstructions }: Upload, bytes: Uint8Array): Promise<string[]> {
  const tags: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of uploadInstructions) {
    const { headers } = await put(uploadUrl, bytes.slice(firstByte, lastByte + 1));
    tags.push(headers.get("etag")?.replaceAll('"', "") ?? "");
  }
  return tags;
}

export function finalize(one: Session, { video, uploadToken }: Upload, uploadedPartIds: string[], more: object = {}) {
  const finalizeUploadRequest = { video, uploadToken, uploadedPartIds, ...more };
  return one.post("rest/videos?action=finalizeUpload", { finalizeUploadRequest });
}

/** Status, code and message of an error response. */
export async function errorOf(answer: Promise<Response>): Promise<[number, string | undefined, string]> {
  const response = await answer;
  const { code, error, message, error_description } = await response.json();
  return [response.status, code ?? error, message ?? error_description];
}
