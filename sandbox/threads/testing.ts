import { decide, form, type TestSandbox } from "../testing/sandbox";

const CALLBACK = "http://localhost:3000/oauth/connect/callback/threads";
const SCOPES = "threads_basic,threads_content_publish,threads_manage_replies";
const CLIENT = { client_id: "sandbox-threads", client_secret: "sandbox-threads-secret" };

type Changed = Record<string, string>;

export function authorizeUrl(sandbox: TestSandbox, changed: Changed = {}): string {
  const query = {
    client_id: CLIENT.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: SCOPES,
    state: "st",
  };
  return `${sandbox.url}/threads/oauth/authorize?${form({ ...query, ...changed })}`;
}

export async function codeFor(sandbox: TestSandbox, account = "alice", changed: Changed = {}): Promise<string> {
  return (await decide(authorizeUrl(sandbox, changed), "allow", account)).searchParams.get("code") ?? "";
}

export function redeem(sandbox: TestSandbox, code: string, changed: Changed = {}): Promise<Response> {
  const fields = { ...CLIENT, grant_type: "authorization_code", redirect_uri: CALLBACK, code, ...changed };
  return fetch(`${sandbox.url}/threads/oauth/access_token`, { method: "POST", body: form(fields) });
}

export function exchange(sandbox: TestSandbox, short: string): Promise<Response> {
  const query = form({ grant_type: "th_exchange_token", client_secret: CLIENT.client_secret, access_token: short });
  return fetch(`${sandbox.url}/threads/access_token?${query}`);
}

export function refresh(sandbox: TestSandbox, long: string): Promise<Response> {
  return fetch(
    `${sandbox.url}/threads/refresh_access_token?${form({ grant_type: "th_refresh_token", access_token: long })}`,
  );
}

export async function connect(sandbox: TestSandbox, account = "alice", changed: Changed = {}): Promise<string> {
  const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox, account, changed))).json();
  return (await (await exchange(sandbox, short)).json()).access_token;
}

/** Calls the Threads API with one user's token. */
export function graph(sandbox: TestSandbox, token: string) {
  const at = (path: string) => `${sandbox.url}/threads/v1.0/${path}`;
  const get = (path: string) => fetch(`${at(path)}${path.includes("?") ? "&" : "?"}access_token=${token}`);
  const post = (path: string, fields: Changed) =>
    fetch(at(path), { method: "POST", body: form(fields), headers: { authorization: `Bearer ${token}` } });
  const create = async (fields: Changed): Promise<string> => {
    const answer = await post("me/threads", fields);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).id;
  };
  /** Polls the given number of times. Returns each status. */
  const finish = async (container: string, polls = 2): Promise<{ status: string; error_message?: string }[]> => {
    const statuses = [];
    for (let poll = 0; poll < polls; poll++)
      statuses.push(await (await get(`${container}?fields=status,error_message`)).json());
    return statuses;
  };
  const publish = (container: string) => post("me/threads_publish", { creation_id: container });
  return {
    get,
    post,
    create,
    finish,
    publish,
    async publishText(fields: Changed): Promise<string> {
      const container = await create({ media_type: "TEXT", ...fields });
      await finish(container);
      return (await (await publish(container)).json()).id;
    },
  };
}

export async function errorOf(answer: Response): Promise<[number, number, number | undefined]> {
  const { error } = await answer.json();
  return [answer.status, error.code, error.error_subcode];
}
