import type { Call } from "../core/network";
import { errors } from "./errors";
import { type InstagramState, professionalId } from "./state";

export type InstagramSession = { account: string; scopes: string[] };

/** The token from the parameter `access_token` or the Bearer header. Calls with a body pass its parameters. */
export function tokenIn(call: Call, parameters: Record<string, string> = call.req.query()): string {
  const [scheme, bearer] = (call.req.header("authorization") ?? "").split(" ");
  return parameters.access_token ?? (scheme?.toLowerCase() === "bearer" ? (bearer ?? "") : "");
}

/**
 * Authenticates a call by a token with the given scope.
 * @throws GraphError 190 for an expired or revoked token, 10 for a missing scope
 */
export function sessionOf(
  state: InstagramState,
  call: Call,
  parameters: Record<string, string>,
  scope = "instagram_business_basic",
): InstagramSession {
  const token = tokenIn(call, parameters);
  if (!token) throw errors.badToken();
  const live = state.grants.findToken(token, "short", "long");
  if (!live) throw errors.invalidToken(463);
  call.get("entry").account = live.account;
  // Every call needs the basic scope.
  const missing = ["instagram_business_basic", scope].find((one) => !live.scopes.includes(one));
  if (missing) throw errors.noPermission(missing);
  return live;
}

/** Requires `me` or the token owner's professional id in the path. The app-scoped id is not valid there. */
export function assertOwnAccount(call: Call, session: InstagramSession, verb: "get" | "post"): void {
  const id = call.req.param("id") ?? "";
  if (!isOwnAccount(id, session)) throw errors.noObject(id, verb);
}

export function isOwnAccount(id: string, session: InstagramSession): boolean {
  return id === "me" || id === professionalId(session.account);
}
