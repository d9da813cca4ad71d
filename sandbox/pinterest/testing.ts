import { decide, form, type TestSandbox } from "../testing/sandbox";

export const SCOPES = "boards:read,boards:write,pins:read,pins:write,user_accounts:read";
export const BASIC = `Basic ${Buffer.from("sandbox-pinterest:sandbox-pinterest-secret").toString("base64")}`;
const CALLBACK = "http://localhost:3000/oauth/connect/callback/pinterest";

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const query = {
    client_id: "sandbox-pinterest",
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: SCOPES,
    state: "s&1",
  };
  return `${sandbox.url}/pinterest/oauth/?${form({ ...query, ...changed })}`;
}

export async function codeFor(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function tokenCall(sandbox: TestSandbox, fields: Record<string, string>, authorization = BASIC, path = "token") {
  const headers: Record<string, string> = authorization ? { authorization } : {};
  return fetch(`${sandbox.url}/pinterest/v5/oauth/${path}`, { method: "POST", headers, body: form(fields) });
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}): Promise<Response> {
  return tokenCall(sandbox, { grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...changed });
}

export type Tokens = { access_token: string; refresh_token: string };

export async function connect(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<Tokens> {
  return (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
}

/** Connects a user. Returns calls with their token, and their boards. */
export async function session(sandbox: TestSandbox, account = "alice", changed: Record<string, string> = {}) {
  const { access_token } = await connect(sandbox, account, changed);
  const authorization = `Bearer ${access_token}`;
  const at = (path: string) => `${sandbox.url}/pinterest/v5/${path}`;
  const get = (path: string) => fetch(at(path), { headers: { authorization } });
  const post = (path: string, body: unknown) =>
    fetch(at(path), {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const boards = (await (await get("boards")).json()).items as { id: string; name: string }[] | undefined;
  return { get, post, boards: boards ?? [], board: boards?.[0]?.id ?? "" };
}

/** The upload form, with the file as its last field. */
export function storeForm(parameters: Record<string, string>, bytes: Uint8Array): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(parameters)) body.append(name, value);
  body.append("file", new Blob([new Uint8Array(bytes)]), "video.mp4");
  return body;
}

/** Status, code and message of an error response. */
export async function errorOf(answer: Promise<Response>): Promise<[number, number, string]> {
  const response = await answer;
  const { code, message } = await response.json();
  return [response.status, code, message];
}
