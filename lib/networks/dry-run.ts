import { env } from "../env";
import { platforms } from "../platforms";
import type { App, Network, NetworkCall, NetworkFetch, NetworkSession, Run, Tokens } from "./network";
import { unlimitedQuota } from "./quota";
import { buildRequest, makeApp } from "./wire/fetch";

/** Replaces a secret. Header values must be Latin-1. */
export const HIDDEN = "***";

/** A request that an adapter would send, with secrets replaced. */
export type DryRunRequest = {
  /** The publishing step that sends the request. */
  step: string;
  /** True for the call that makes the post public. */
  isFinal: boolean;
  method: string;
  url: string;
  headers: { [name: string]: string };
  body?: string;
};

/**
 * Creates a run that sends nothing: it records each request and answers it from the network's `dryRunAnswers`, so the
 * adapter's publish function runs from start to end. The requests contain neither the account's tokens nor our secret.
 * Some requests depend on the account's granted scopes, or on other data that is stored with its tokens.
 */
export function dryRun(
  network: Network,
  account: { accountId: string; username: string },
  { scopes, extra }: Pick<Tokens, "scopes" | "extra"> = {},
) {
  const requests: DryRunRequest[] = [];
  const current = { step: "", isFinal: false };
  const app = hiddenApp(network);
  const tokens = { accessToken: HIDDEN, scopes, extra: extra && network.withoutSecrets?.(extra) };

  const fetchAs =
    (withTokens: boolean): NetworkFetch =>
    async (path, call = {}) => {
      const request = await buildRequest(network, app, path, hidden(call), withTokens ? tokens : undefined);
      const body = await textOf(request.body);
      const headers = Object.fromEntries(request.headers);
      requests.push({ ...current, method: request.method, url: request.url, headers, ...(body ? { body } : {}) });
      return answerOf(network, request.method, new URL(request.url).pathname, body);
    };
  const session: NetworkSession = {
    app: { ...app, fetch: fetchAs(false) },
    ...account,
    tokens,
    fetch: fetchAs(true),
    statedTime: () => undefined,
    quota: unlimitedQuota,
  };

  async function within<T>(step: string, isFinal: boolean, work: () => Promise<T>): Promise<T> {
    Object.assign(current, { step, isFinal });
    return work();
  }
  const run: Run = {
    ...session,
    step: (name, work) => within(name, false, work),
    isDone: () => false,
    async commit(name, work, recovery) {
      const { list } = recovery?.lookalikes ?? {};
      if (list) await within(name, false, () => list(new Date()));
      return within(name, true, () => work(false));
    },
    async poll(name, check) {
      const value = await within(name, false, check);
      if (value === undefined) throw new Error(`The dry run of ${network.name} has no final answer for "${name}"`);
      return value;
    },
  };
  return { run, requests };
}

function hiddenApp(network: Network): App {
  const settings = env.networks[platforms[network.platform]];
  const { apiUrl, mode } = settings.mode === "off" ? { apiUrl: undefined, mode: "real" as const } : settings;
  const app = makeApp(network, { mode, apiUrl, clientId: HIDDEN, clientSecret: HIDDEN });
  return { ...app, fetchWebFile: async () => undefined };
}

function hidden(call: NetworkCall): NetworkCall {
  return typeof call.auth === "object" ? { ...call, auth: { bearer: HIDDEN } } : call;
}

function answerOf(network: Network, method: string, path: string, body: string): Response {
  for (const one of network.dryRunAnswers) {
    if (one.method !== method || !one.path.test(path)) continue;
    const found = (one.body ?? /^/).exec(body);
    if (!found) continue;
    const answer = typeof one.answer === "function" ? one.answer(found) : one.answer;
    return Response.json(answer, { headers: one.headers });
  }
  throw new Error(`The dry run of ${network.name} has no answer for ${method} ${path}`);
}

async function textOf(body: NetworkCall["body"]): Promise<string> {
  if (body === undefined) return "";
  const text = await new Response(body instanceof Uint8Array ? new Uint8Array(body) : body).text();
  return text.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, readable);
}

/** Shows the placeholder name instead of its Base64 text, for networks that take files in Base64. */
function readable(run: string): string {
  const [, name] = /^\{([^{}]*)\}$/.exec(Buffer.from(run, "base64").toString()) ?? [];
  return name === undefined ? run : `{Base64 of ${name}}`;
}
