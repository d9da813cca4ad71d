import { decide, form, type TestSandbox } from "../testing/sandbox";

const CALLBACK = "http://localhost:3000/oauth/connect/callback/instagram";
export const SCOPES = "instagram_business_basic,instagram_business_content_publish";
const CLIENT = { client_id: "sandbox-instagram", client_secret: "sandbox-instagram-secret" };

export function authorizeUrl(sandbox: TestSandbox, changed: Record<string, string> = {}): string {
  const query = {
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: SCOPES,
    state: "st",
  };
  return `${sandbox.url}/instagram/oauth/authorize?${form({ ...query, ...changed })}`;
}

export async function codeFor(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<string> {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function redeem(sandbox: TestSandbox, code: string, changed: Record<string, string> = {}): Promise<Response> {
  const body = new FormData();
  const fields = { ...CLIENT, grant_type: "authorization_code", redirect_uri: CALLBACK, code, ...changed };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return fetch(`${sandbox.url}/instagram/oauth/access_token`, { method: "POST", body });
}

export function exchange(sandbox: TestSandbox, short: string): Promise<Response> {
  const query = form({ grant_type: "ig_exchange_token", client_secret: CLIENT.client_secret, access_token: short });
  return fetch(`${sandbox.url}/instagram/access_token?${query}`);
}

export function refresh(sandbox: TestSandbox, long: string): Promise<Response> {
  return fetch(
    `${sandbox.url}/instagram/refresh_access_token?${form({ grant_type: "ig_refresh_token", access_token: long })}`,
  );
}

export async function connect(
  sandbox: TestSandbox,
  account = "alice",
  changed: Record<string, string> = {},
): Promise<string> {
  const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
  return (await (await exchange(sandbox, short)).json()).access_token;
}

/** Calls the Graph API with one user's token. */
export function graph(sandbox: TestSandbox, token: string) {
  const at = (path: string) => `${sandbox.url}/instagram/v26.0/${path}`;
  const get = async (path: string) => fetch(`${at(path)}${path.includes("?") ? "&" : "?"}access_token=${token}`);
  const post = (path: string, fields: Record<string, string>) =>
    fetch(at(path), { method: "POST", body: form(fields), headers: { authorization: `Bearer ${token}` } });
  return {
    get,
    post,
    async create(fields: Record<string, string>): Promise<string> {
      const answer = await post("me/media", fields);
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()).id;
    },
    /** Polls until processing is done. Returns each status. */
    async finish(container: string): Promise<string[]> {
      const statuses: string[] = [];
      for (let poll = 0; poll < 3; poll++)
        statuses.push((await (await get(`${container}?fields=status_code,status`)).json()).status_code);
      return statuses;
    },
    publish: (container: string) => post("me/media_publish", { creation_id: container }),
  };
}

export async function errorOf(answer: Response): Promise<[number, number, number | undefined]> {
  const { error } = await answer.json();
  return [answer.status, error.code, error.error_subcode];
}
