import { randomToken } from "../core/ids";
import type { Call } from "../core/network";

type GraphErrorDetail = {
  subcode?: number;
  title?: string;
  advice?: string;
  isTransient?: boolean;
  type?: string;
  /** What an upload has to go on from. */
  data?: Record<string, unknown>;
};

/** A refusal in the Graph API's envelope; source: Graph API, handling errors. Mostly HTTP 400. */
export class GraphError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly detail: GraphErrorDetail = {},
    readonly status: 400 | 401 | 403 | 404 | 500 = 400,
  ) {
    super(message);
  }
}

export function errorResponse(call: Call, { message, code, detail, status }: GraphError): Response {
  const error = {
    message,
    type: detail.type ?? "OAuthException",
    code,
    ...(detail.subcode ? { error_subcode: detail.subcode } : {}),
    is_transient: detail.isTransient ?? false,
    ...(detail.title ? { error_user_title: detail.title, error_user_msg: detail.advice ?? detail.title } : {}),
    ...(detail.data ? { error_data: detail.data } : {}),
    fbtrace_id: `A${randomToken(8)}`,
  };
  return call.json({ error }, status);
}

/** What every part of the Graph API refuses in the same words. */
export const graphErrors = {
  badToken: () => new GraphError(190, "Invalid OAuth access token - Cannot parse access token", {}, 401),
  invalidToken: (subcode: number, why: string) =>
    new GraphError(190, `Error validating access token: ${why}`, { subcode }, 401),
  parameter: (text: string, detail: GraphErrorDetail = {}) => new GraphError(100, `(#100) ${text}`, detail),
  noObject: (id: string, verb: string) =>
    new GraphError(
      100,
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
      { subcode: 33, type: "GraphMethodException" },
    ),
  noField: (field: string, node: string) =>
    new GraphError(100, `(#100) Tried accessing nonexisting field (${field}) on node type (${node})`),
  internal: () =>
    new GraphError(
      2,
      "An unexpected error has occurred. Please retry your request later.",
      { isTransient: true },
      500,
    ),
};

/** Query, form (of both kinds) or JSON, all as text: the Graph API takes parameters in any of them. */
export async function parametersOf(call: Call): Promise<Record<string, string>> {
  return { ...call.req.query(), ...(call.req.method === "GET" ? {} : await bodyParameters(call)) };
}

async function bodyParameters(call: Call): Promise<Record<string, string>> {
  const type = call.req.header("content-type") ?? "";
  if (type.startsWith("application/json")) {
    const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  }
  if (!type.startsWith("multipart/form-data") && !type.startsWith("application/x-www-form-urlencoded")) return {};
  const form = await call.req.parseBody();
  return Object.fromEntries(
    Object.entries(form).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

export function isTrue(value: string | undefined): boolean {
  return value === "true" || value === "1";
}

/** `["1","2"]`, `[1,2]` or `1,2`. */
export function listOf(value: string | undefined): string[] {
  // Ids may come as JSON numbers above 2^53, so the list is read as text.
  return (value ?? "")
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((item) => item.trim().replace(/^"|"$/g, ""))
    .filter(Boolean);
}

/** The `fields` parameter, `id` always among them; modifiers and sub-fields (`picture.width(1){url}`) reduced to the name. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  let asked = call.req.query("fields") ?? "";
  for (let before = ""; before !== asked; ) [before, asked] = [asked, asked.replace(/\{[^{}]*\}|\([^()]*\)/g, "")];
  const names = asked
    .split(",")
    .map((field) => field.trim().replace(/\..*$/, ""))
    .filter(Boolean);
  return names.length > 0 ? ["id", ...names] : defaults;
}

/** Only what was asked for; a name that the node does not have is refused, a value that is absent is left out. */
export function pick(node: Record<string, unknown>, fields: string[], type: string): Record<string, unknown> {
  const unknown = fields.find((field) => !Object.hasOwn(node, field));
  if (unknown) throw graphErrors.noField(unknown, type);
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => fields.includes(name) && value !== undefined),
  );
}
