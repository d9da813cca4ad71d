import type * as z from "zod";
import { isFile, readParts } from "../core/multipart";
import type { Call } from "../core/network";
import type { Allowance } from "../core/rate-limits";
import { userId, type XState } from "./state";

/** An error in one of X's two formats. Source: docs.x.com, response codes and errors. */
export class XError extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 403 | 404 | 429,
    readonly body: Record<string, unknown>,
  ) {
    super(JSON.stringify(body));
  }
}

const PROBLEMS = "https://api.twitter.com/2/problems";

export function unauthorized(): XError {
  return new XError(401, { title: "Unauthorized", type: "about:blank", status: 401, detail: "Unauthorized" });
}

export function forbidden(detail: string): XError {
  return new XError(403, { detail, type: "about:blank", title: "Forbidden", status: 403 });
}

/** A 400 that names the parameters and the problem. */
export function invalidRequest(message: string, parameters: Record<string, string[]> = {}): XError {
  return new XError(400, {
    errors: [{ parameters, message }],
    title: "Invalid Request",
    detail: "One or more parameters to your request was invalid.",
    type: `${PROBLEMS}/invalid-request`,
    status: 400,
  });
}

/** Not in X's documentation; observed since calls are paid for in advance. */
export function creditsDepleted(): XError {
  return new XError(402, {
    title: "CreditsDepleted",
    detail: "Your enrolled account [1000000000000000001] does not have any credits to fulfill this request.",
    type: `${PROBLEMS}/credits`,
  });
}

/** Refusals of the application, as they were reported in public; X's documentation does not list them. */
export const APPLICATION_REFUSALS: Record<string, () => XError> = {
  "client-not-enrolled": () =>
    new XError(403, {
      client_id: "1000000000000000001",
      detail:
        "When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a Twitter developer App that is attached to a Project. You can create a project via the developer portal.",
      registration_url: "https://developer.twitter.com/en/docs/projects/overview",
      title: "Client Forbidden",
      required_enrollment: "Appropriate Level of API Access",
      reason: "client-not-enrolled",
      type: `${PROBLEMS}/client-forbidden`,
    }),
  "453": () =>
    new XError(403, {
      errors: [
        {
          message:
            "You currently have access to a subset of X API V2 endpoints and limited v1.1 endpoints (e.g. media post, oauth) only. If you need access to this endpoint, you may need a different access level.",
          code: 453,
        },
      ],
    }),
  suspended: () => new XError(403, { errors: [{ message: "Invalid / suspended application", code: 416 }] }),
  credits: creditsDepleted,
};

export function tooManyRequests(): XError {
  return new XError(429, {
    title: "Too Many Requests",
    detail: "Too Many Requests",
    type: "about:blank",
    status: 429,
  });
}

export function notFound(call: Call): Response {
  const detail = `The requested path ${new URL(call.req.url).pathname.replace("/x", "")} does not exist.`;
  return call.json({ title: "Not Found", detail, type: "about:blank", status: 404 }, 404);
}

export function internalError(call: Call): Response {
  return call.json(
    { title: "Internal Server Error", detail: "Internal Server Error", type: "about:blank", status: 500 },
    500,
  );
}

/** An error of the token endpoint. An invalid code or token is `invalid_request`, not `invalid_grant`. */
export class XTokenError extends Error {
  constructor(
    readonly error: string,
    readonly description: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

export function invalidToken(): XTokenError {
  return new XTokenError("invalid_request", "Value passed for the token was invalid.");
}

export function invalidCode(): XTokenError {
  return new XTokenError("invalid_request", "Value passed for the authorization code was invalid.");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof XError) return call.json(error.body, error.status);
  if (error instanceof XTokenError)
    return call.json({ error: error.error, error_description: error.description }, error.status);
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}

export type XSession = { account: string; userId: string };

/** Calls per user in 15 minutes. Source: docs.x.com, rate limits. */
const LIMITS = {
  createPost: 100,
  deletePost: 50,
  upload: 500,
  uploadStatus: 1000,
  initialize: 1875,
  append: 1875,
  finalize: 1875,
  metadata: 500,
  me: 75,
  timeline: 900,
};

/** Authenticates a call: token, scopes and the endpoint's rate limit. Sets the three rate headers. */
export function sessionOf(state: XState, call: Call, endpoint: keyof typeof LIMITS, scopes: string[]): XSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw unauthorized();
  call.get("entry").account = live.account;
  if (!state.switches.credits) throw creditsDepleted();
  if (!scopes.every((scope) => live.scopes.includes(scope))) {
    throw forbidden("Your client app is not configured with the appropriate oauth2 scopes for this endpoint.");
  }
  const allowance = state.windows.take(`${endpoint}/${live.account}`, LIMITS[endpoint], 900);
  rateHeaders(state, call, allowance);
  if (!allowance.isAllowed) throw tooManyRequests();
  return { account: live.account, userId: userId(live.account) };
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/** Sets `x-rate-limit-*`, or the headers of another window. The reset is in epoch seconds of the real clock, which the caller uses. */
export function rateHeaders(
  state: XState,
  call: Call,
  { limit, remaining, resetAt }: Omit<Allowance, "isAllowed">,
  window = "x-rate-limit",
): void {
  const reset = Date.now() + resetAt - state.world.clock.now();
  call.header(`${window}-limit`, String(limit));
  call.header(`${window}-remaining`, String(remaining));
  call.header(`${window}-reset`, String(Math.ceil(reset / 1000)));
}

/**
 * Parses the JSON body by the OpenAPI file.
 * @throws XError that names the first problem as X does
 */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json")) {
    throw invalidRequest("Content-Type header must be application/json");
  }
  const value: unknown = await call.req.json().catch(() => {
    throw invalidRequest("The request body is not valid JSON.");
  });
  return parsed(value, schema);
}

/**
 * Parses multipart, or JSON with base64 `media`. Returns the fields as text and `media` as bytes.
 * @throws XError
 */
export async function mediaBody(
  call: Call,
  names: string[],
): Promise<{ fields: Record<string, string>; media: Uint8Array }> {
  const type = call.req.header("content-type") ?? "";
  const fields: Record<string, string> = {};
  let media: Uint8Array | undefined;
  if (type.startsWith("multipart/form-data")) {
    const parts = await readParts(call);
    if (!parts) throw invalidRequest("The multipart body could not be read.");
    for (const part of parts) {
      const { name = "", bytes } = part;
      if (!isFile(part)) fields[name] = new TextDecoder().decode(bytes);
      else if (name === "media") media = bytes;
      else fields[name] = "";
    }
  } else if (type.startsWith("application/json")) {
    const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
    for (const [name, value] of Object.entries(body)) fields[name] = String(value);
    if (typeof body.media === "string") media = Buffer.from(body.media, "base64");
    delete fields.media;
  } else {
    throw invalidRequest("Content-Type header must be multipart/form-data or application/json");
  }
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) throw notInSchema(unknown);
  if (!media || media.byteLength === 0) throw invalidRequest("$.media: is missing but it is required", { media: [] });
  return { fields, media };
}

export function parsed<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = ["$", ...(issue?.path ?? [])].join(".");
  if (issue?.code === "unrecognized_keys") throw notInSchema([...issue.path, issue.keys[0]].join("."));
  if (issue?.code === "too_big" && issue.origin === "array") {
    throw invalidRequest(`${path}: there must be a maximum of ${issue.maximum} items in the array`, { [path]: [] });
  }
  if (issue?.code === "too_small" && issue.origin === "array") {
    throw invalidRequest(`${path}: there must be a minimum of ${issue.minimum} items in the array`, { [path]: [] });
  }
  throw invalidRequest(`${path}: ${issue?.message ?? "is invalid"}`, { [path]: [] });
}

function notInSchema(name: string) {
  return invalidRequest(`$.${name}: is not defined in the schema and the schema does not allow additional properties`, {
    [`$.${name}`]: [],
  });
}
