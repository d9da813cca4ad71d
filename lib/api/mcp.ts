import { createMcpHandler, type McpHttpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { z } from "zod";
import { type ApiCall, createMcpServer, type ToolOptions } from "../../packages/mcp/src/tools";
import { env } from "../env";
import { AccessDenied, Unauthorized } from "../errors";
import { addHeaders, json } from "../http/json";
import { log } from "../log";
import { hasScope, mcpChallenge } from "../oauth";
import { version } from "../version";
import { readJson } from "./body";
import { limitToProposals, proposingGrant } from "./caller";

/** Answers a request like one that arrived from outside. */
type Api = (request: Request) => Promise<Response> | Response;

/**
 * `POST /mcp`: the tools with which agents propose posts (Model Context Protocol, streamable HTTP, without sessions). Each tool
 * makes calls of `/v1` with the agent's token, inside this process. Unless the operator allows more, all of these calls are
 * limited to what the scope `posts.propose` covers, whatever else the token can do: an agent proposes, and a person publishes.
 * @param readDocument returns the OpenAPI document, which contains the rules of the networks
 */
export async function answerMcp({ req }: Context, api: Api, readDocument: () => unknown): Promise<Response> {
  const { headers } = req.raw;
  const origin = headers.get("origin");
  if (origin !== null && ![env.baseUrl, env.appUrl].some((own) => new URL(own).origin === origin)) {
    return json({ error: "The header Origin names another site. Agents do not send this header" }, { status: 403 });
  }
  try {
    // The session cookie of the dashboard does not count here: only a token says that its person allowed an agent.
    if (!headers.has("authorization")) throw new Unauthorized();
    const { scopes } = await proposingGrant(headers);
    const canPublish = env.agentsMayPublish && hasScope(scopes, "posts.write");
    const parsedBody = await readJson(req.raw);
    if (Array.isArray(parsedBody)) {
      return messageRefused("Batches are not accepted. Send each message in a request of its own");
    }
    if (hasTooManyFields(parsedBody)) return messageRefused(`An object has more than ${MAX_FIELDS} fields`);
    const { data: page } = UnknownPage.safeParse(parsedBody);
    if (page) return unknownPage(page.id);
    return await handlerFor(headers, api, { canPublish, readDocument }).fetch(req.raw, { parsedBody });
  } catch (error) {
    if (error instanceof Unauthorized)
      return refused(error, 401, headers.has("authorization") ? "invalid_token" : undefined);
    if (error instanceof AccessDenied) return refused(error, 403, "insufficient_scope");
    throw error;
  }
}

const ADVICE = {
  401: "The token is missing, wrong, expired or revoked. Create one with the scope service-api/posts.propose under Developers in the dashboard, or connect the agent again",
  403: "The token may not propose posts. It needs the scope service-api/posts.propose",
};

function refused(error: Unauthorized | AccessDenied, status: 401 | 403, code?: Parameters<typeof mcpChallenge>[0]) {
  const answer = json({ error: `${error.message}. ${ADVICE[status]}` }, { status });
  addHeaders(answer, { "www-authenticate": mcpChallenge(code) });
  return answer;
}

/** Far more than any call needs. The library takes 100 ms for the 25,000 names that a body has room for. */
const MAX_FIELDS = 1000;

function hasTooManyFields(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const values = Object.values(value);
  return (!Array.isArray(value) && values.length > MAX_FIELDS) || values.some(hasTooManyFields);
}

/**
 * Refuses a message before the library reads it. Each message of a batch would be a call that no limit counts: version
 * 2025-06-18 of the protocol removed batches, and the library accepts them for older versions.
 */
function messageRefused(message: string): Response {
  const code = ProtocolErrorCode.InvalidRequest;
  return json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
}

/** All tools are on one page, so no answer names a cursor. The library would ignore it and send the same page again. */
const UnknownPage = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal("tools/list"),
  params: z.object({ cursor: z.string() }),
});

/** The protocol asks for this code (server/utilities/pagination, 2026-07-28). As for an unknown tool, the status is 200. */
function unknownPage(id: string | number): Response {
  const message = "No answer named this cursor. All tools are on one page: send tools/list without a cursor";
  return json({ jsonrpc: "2.0", error: { code: ProtocolErrorCode.InvalidParams, message }, id });
}

/** A server for one request: nothing is kept between requests, so any process can answer any of them. */
function handlerFor(agent: Headers, api: Api, options: Required<ToolOptions>): McpHttpHandler {
  const callApi = async (call: ApiCall) => {
    const request = requestOf(call, agent);
    if (!(call.publishes && options.canPublish)) limitToProposals(request.headers);
    const answer = await api(request);
    const body: unknown = answer.status === 204 ? undefined : await answer.json();
    if (!answer.ok) throw new Error(errorText(body, answer.status));
    call.onEtag?.(answer.headers.get("etag") ?? "");
    return body;
  };
  return createMcpHandler(() => createMcpServer(callApi, version(), options), {
    maxSubscriptions: 0, // the tools never change, and a subscription would hold a connection
    onerror: (error) => log.info({ error: error.message }, "an MCP request was rejected"),
  });
}

/** The headers of an agent's request that are passed on to its calls: its token, and the partner's user for whom it acts. */
const FORWARDED = ["authorization", "x-connect-user-id", "x-connect-external-user-id", "user-agent"];

function requestOf({ method, path, params = {}, query = {}, body, ifMatch }: ApiCall, agent: Headers): Request {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const url = new URL(filled, env.baseUrl);
  url.search = new URLSearchParams(query).toString();
  const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const name of FORWARDED) {
    const value = agent.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (ifMatch !== undefined) headers.set("if-match", ifMatch);
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Request(url, { method: method.toUpperCase(), headers, body: sent });
}

/** The sentence of an error of `/v1`, or of its rate limit. */
function errorText(body: unknown, status: number): string {
  const { error, message } = body as { error?: string; message?: string }; // our own answer
  return error ?? message ?? `The API answered with ${status}`;
}
