import type { Call } from "../core/network";
import { notActivated, notPermitted, unauthorized } from "./errors";
import { countRead, countWrite } from "./rates";
import type { PinterestState } from "./state";

export type PinterestSession = { account: string; grant: string; scopes: string[] };

/** Who calls, with the scopes and within the limit of this kind of call. */
export function sessionOf(
  state: PinterestState,
  call: Call,
  kind: "read" | "write",
  scopes: string[],
): PinterestSession {
  if (state.switches.pending) throw notActivated();
  const live = state.grants.look(bearer(call), "access");
  if (!live) throw unauthorized();
  call.get("entry").account = live.account;
  if (!scopes.every((scope) => live.scopes.includes(scope))) throw notPermitted();
  (kind === "read" ? countRead : countWrite)(state, call, live.account);
  return live;
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}
