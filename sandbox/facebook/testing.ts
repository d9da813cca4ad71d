import { createHmac } from "node:crypto";
import { decide, form, type TestSandbox } from "../testing/sandbox";

const CALLBACK = "http://localhost:3000/oauth/connect/callback/facebook";
export const SCOPES = "pages_show_list,pages_read_engagement,pages_manage_posts";
const CLIENT = { client_id: "sandbox-facebook", client_secret: "sandbox-facebook-secret" };

type Changed = Record<string, string>;

export function authorizeUrl(sandbox: TestSandbox, changed: Changed = {}): string {
  const query = {
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: SCOPES,
    state: "st",
  };
  return `${sandbox.url}/facebook/v26.0/dialog/oauth?${form({ ...query, ...changed })}`;
}

export async function codeFor(
  sandbox: TestSandbox,
  account = "alice",
  without: string[] = [],
  scope = SCOPES,
): Promise<string> {
  const body = new URLSearchParams([
    ["account", account],
    ["decision", "allow"],
    ...without.map((one) => ["without", one]),
  ]);
  const answer = await fetch(authorizeUrl(sandbox, { scope }), { method: "POST", redirect: "manual", body });
  return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

export function denied(sandbox: TestSandbox): Promise<URL> {
  return decide(authorizeUrl(sandbox), "deny");
}

export function redeem(sandbox: TestSandbox, code: string, changed: Changed = {}): Promise<Response> {
  const query = form({ ...CLIENT, redirect_uri: CALLBACK, code, ...changed });
  return fetch(`${sandbox.url}/facebook/v26.0/oauth/access_token?${query}`);
}

export function exchange(sandbox: TestSandbox, token: string): Promise<Response> {
  const query = form({ ...CLIENT, grant_type: "fb_exchange_token", fb_exchange_token: token });
  return fetch(`${sandbox.url}/facebook/v26.0/oauth/access_token?${query}`);
}

export async function connect(
  sandbox: TestSandbox,
  account = "alice",
  without: string[] = [],
  scope = SCOPES,
): Promise<string> {
  const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox, account, without, scope))).json();
  return (await (await exchange(sandbox, short)).json()).access_token;
}

/** Calls the Graph API with one token and its proof. */
export function graph(sandbox: TestSandbox, token: string) {
  const proof = createHmac("sha256", CLIENT.client_secret).update(token).digest("hex");
  const at = (path: string) => `${sandbox.url}/facebook/v26.0/${path}`;
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    get: (path: string) => fetch(`${at(path)}${path.includes("?") ? "&" : "?"}appsecret_proof=${proof}`, { headers }),
    post: (path: string, fields: Changed) =>
      fetch(at(path), { method: "POST", headers, body: form({ ...fields, appsecret_proof: proof }) }),
    send(path: string, fields: Record<string, string | Uint8Array>) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...fields, appsecret_proof: proof }))
        body.set(name, typeof value === "string" ? value : new Blob([new Uint8Array(value)]));
      return fetch(at(path), { method: "POST", headers, body });
    },
    getWithoutProof: (path: string) => fetch(at(path), { headers }),
    getWithWrongProof: (path: string) => fetch(`${at(path)}?appsecret_proof=${"0".repeat(64)}`, { headers }),
  };
}

export type Api = ReturnType<typeof graph>;

/** A user's Pages, each with calls that use its Page token. */
export async function pagesOf(sandbox: TestSandbox, user: Api): Promise<(Api & { id: string })[]> {
  const pages: { id: string; access_token: string }[] = [];
  for (let path: string | undefined = "me/accounts?fields=id,access_token"; path; ) {
    const answer: { data: typeof pages; paging?: { next?: string; cursors: { after: string } } } = await (
      await user.get(path)
    ).json();
    pages.push(...answer.data);
    path = answer.paging?.next && `me/accounts?fields=id,access_token&after=${answer.paging.cursors.after}`;
  }
  return pages.map(({ id, access_token }) => ({ id, ...graph(sandbox, access_token) }));
}

export async function errorOf(answer: Response): Promise<[number, number, number | undefined]> {
  const { error } = await answer.json();
  return [answer.status, error.code, error.error_subcode];
}
