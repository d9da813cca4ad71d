import { decide, form, type TestSandbox } from "../testing/sandbox";

export const CALLBACK = "http://localhost:3000/oauth/connect/callback/tiktok";
export const SCOPES = "user.info.basic,user.info.profile,video.publish,video.list";
export const CLIENT = { client_key: "sandbox-tiktok", client_secret: "sandbox-tiktok-secret" };

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const query = {
    client_key: CLIENT.client_key,
    response_type: "code",
    scope: SCOPES,
    redirect_uri: CALLBACK,
    state: "st",
  };
  return `${sandbox.url}/tiktok/v2/auth/authorize/?${form({ ...query, ...changed })}`;
}

export async function codeFor(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function tokenCall(sandbox: TestSandbox, fields: Record<string, string>): Promise<Response> {
  const body = form({ ...CLIENT, ...fields });
  return fetch(`${sandbox.url}/tiktok/v2/oauth/token/`, { method: "POST", body });
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}) {
  return tokenCall(sandbox, { grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...changed });
}

export async function connect(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
}

/** Connects a user. Returns calls with their token. */
export async function api(sandbox: TestSandbox, account: string, changed: Record<string, string> = {}) {
  const { access_token: token } = await connect(sandbox, account, changed);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=UTF-8" };
  const post = (path: string, body: object = {}) =>
    fetch(`${sandbox.url}/tiktok/v2/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    post,
    get: (path: string) => fetch(`${sandbox.url}/tiktok/v2/${path}`, { headers }),
    creator: () => post("post/publish/creator_info/query/"),
    video: (info: object = {}, source: object = {}) =>
      post("post/publish/video/init/", {
        post_info: { privacy_level: "PUBLIC_TO_EVERYONE", ...info },
        source_info: { source: "FILE_UPLOAD", video_size: 100, chunk_size: 100, total_chunk_count: 1, ...source },
      }),
    draft: (source: object = {}) =>
      post("post/publish/inbox/video/init/", {
        source_info: { source: "FILE_UPLOAD", video_size: 100, chunk_size: 100, total_chunk_count: 1, ...source },
      }),
    photos: (photo_images: string[], info: object = {}, more: object = {}) =>
      post("post/publish/content/init/", {
        media_type: "PHOTO",
        post_mode: "DIRECT_POST",
        post_info: {
          privacy_level: "PUBLIC_TO_EVERYONE",
          brand_content_toggle: false,
          brand_organic_toggle: false,
          ...info,
        },
        source_info: { source: "PULL_FROM_URL", photo_images, photo_cover_index: 0 },
        ...more,
      }),
    status: async (publish_id: string) => (await post("post/publish/status/fetch/", { publish_id })).json(),
  };
}

export function put(url: string, bytes: Uint8Array, range: string, type = "video/mp4"): Promise<Response> {
  const body = new Blob([new Uint8Array(bytes)]);
  return fetch(url, { method: "PUT", headers: { "content-type": type, "content-range": `bytes ${range}` }, body });
}

/** Status and code of an error response. */
export async function errorOf(answer: Response): Promise<[number, string]> {
  const { error } = await answer.json();
  return [answer.status, error.code ?? error];
}
