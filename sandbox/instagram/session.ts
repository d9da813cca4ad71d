import type { Call } from "../core/network";
import { errors } from "./errors";
import { type InstagramState, professionalId } from "./state";

export type InstagramSession = { account: string; scopes: string[] };

/** The token in `access_token` of the query or as a Bearer header; bodies are looked into by the calls that have one. */
export function tokenIn(call: Call, parameters: Record<string, string> = call.req.query()): string {
  const [scheme, bearer] = (call.req.header("authorization") ?? "").split(" ");
  return parameters.access_token ?? (scheme?.toLowerCase() === "bearer" ? (bearer ?? "") : "");
}

/** Who calls and may; a token that is dead, spent or withdrawn gives 190. */
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
  // The basic one is needed for everything.
  const missing = ["instagram_business_basic", scope].find((one) => !live.scopes.includes(one));
  if (missing) throw errors.noPermission(missing);
  return live;
}

/** The account in the path: `me`, or the professional id of the token's own person; the app-scoped one stands in none. */
export function assertOwnAccount(call: Call, session: InstagramSession, verb: "get" | "post"): void {
  const id = call.req.param("id") ?? "";
  if (!isOwnAccount(id, session)) throw errors.noObject(id, verb);
}

export function isOwnAccount(id: string, session: InstagramSession): boolean {
  return id === "me" || id === professionalId(session.account);
}
