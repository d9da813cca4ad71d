import type { Call } from "../core/network";
import { errorResponse, GraphError, graphErrors } from "../meta/graph";
import { type ThreadsState, userId } from "./state";

const LINK_LIMIT = "THREADS_API__LINK_LIMIT_EXCEEDED";

export const errors = {
  ...graphErrors,
  expired: () => graphErrors.invalidToken(463, "Session has expired."),
  withdrawn: () => graphErrors.invalidToken(458, "The user has not authorized the application."),
  noPermission: (scope: string) =>
    new GraphError(10, `(#10) Application does not have permission for this action: ${scope}`, {}, 403),
  sessionKey: () =>
    new GraphError(
      452,
      "Session key invalid. This could be because the session key has an incorrect format, or because the user has revoked this session",
    ),
  tooLong: () => graphErrors.parameter("Param text must be at most 500 characters long."),
  tooManyLinks: (namedIn: "message" | "title") =>
    new GraphError(100, namedIn === "message" ? `(#100) ${LINK_LIMIT}` : "(#100) Invalid parameter", {
      title: namedIn === "title" ? LINK_LIMIT : "Link limit exceeded",
      advice: "You can add at most 5 links to a post.",
    }),
  topic: () =>
    new GraphError(100, "(#100) Invalid parameter", {
      subcode: 4279071,
      title: "Topic Tag Not Permitted",
      advice: "The topic tag is not permitted.",
    }),
  notFound: () =>
    new GraphError(24, "The requested resource does not exist", {
      subcode: 4279009,
      title: "Media Not Found",
      advice: "The media builder does not exist or is not ready.",
    }),
  notFetched: () =>
    new GraphError(9004, "Media download has failed.", {
      subcode: 2207052,
      title: "Media download has failed",
      advice: "The media could not be fetched from this URI.",
    }),
  quotaUsed: (named: string) => {
    const [code, subcode] = named.split("/").map(Number);
    return new GraphError(code ?? 0, "Application request limit reached", { subcode, title: "Posting limit reached" });
  },
  actionBlocked: () =>
    new GraphError(4, "Application request limit reached", {
      subcode: 2207051,
      title: "Action is blocked",
      advice: "We restrict certain activity to protect our community.",
    }),
  throttled: () => new GraphError(4, "(#4) Application request limit reached"),
};

/** An error of the token endpoint, which has its own flat format. */
export class FlatError extends Error {}

export function invalidCode(): FlatError {
  return new FlatError("Matching code was not found or was already used");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof FlatError)
    return call.json({ error_type: "OAuthException", code: 400, error_message: error.message }, 400);
  if (error instanceof GraphError) return errorResponse(call, error);
  process.stderr.write(`${error.stack}\n`);
  return errorResponse(call, errors.internal());
}

export type ThreadsSession = { account: string; scopes: string[] };

/** The token from the parameter `access_token` or the Bearer header. */
export function tokenIn(call: Call, parameters: Record<string, string> = call.req.query()): string {
  const [scheme, bearer] = (call.req.header("authorization") ?? "").split(" ");
  return parameters.access_token ?? (scheme?.toLowerCase() === "bearer" ? (bearer ?? "") : "");
}

/**
 * Authenticates a call by a token with the given scope.
 * @throws GraphError 190 for an expired or revoked token, 10 for a missing scope
 */
export function sessionOf(
  state: ThreadsState,
  call: Call,
  parameters: Record<string, string>,
  scope = "threads_basic",
): ThreadsSession {
  const token = tokenIn(call, parameters);
  if (!token) throw errors.badToken();
  const live = state.grants.findToken(token, "short", "long");
  if (!live) throw errors.expired();
  call.get("entry").account = live.account;
  if (state.switches.usageHeaders)
    call.header("x-app-usage", JSON.stringify({ call_count: 100, total_cputime: 100, total_time: 100 }));
  if (state.switches.requiresProof && !parameters.appsecret_proof) throw errors.noProof();
  // Every call needs the basic scope.
  const missing = ["threads_basic", scope].find((one) => !live.scopes.includes(one));
  if (missing) throw errors.noPermission(missing);
  return live;
}

/** Requires `me` or the token owner's id in the path. */
export function assertOwnProfile(call: Call, session: ThreadsSession, verb: "get" | "post"): void {
  const id = call.req.param("id") ?? "";
  if (!isOwnProfile(id, session)) throw errors.noObject(id, verb);
}

export function isOwnProfile(id: string, session: ThreadsSession): boolean {
  return id === "me" || id === userId(session.account);
}
