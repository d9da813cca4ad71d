import type { Call } from "../core/network";
import { errors } from "./errors";
import { type ThreadsState, userId } from "./state";

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
