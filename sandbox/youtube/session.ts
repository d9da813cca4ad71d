import type { Call } from "../core/network";
import { refusals } from "./errors";
import type { YouTubeState } from "./state";

const PREFIX = "https://www.googleapis.com/auth/";
export const SCOPES: Record<string, string> = {
  [`${PREFIX}youtube`]: "manage your YouTube account",
  [`${PREFIX}youtube.force-ssl`]:
    "see, edit, and permanently delete your YouTube videos, ratings, comments and captions",
  [`${PREFIX}youtube.readonly`]: "view your YouTube account",
  [`${PREFIX}youtube.upload`]: "manage your YouTube videos",
};
const WHOLE = ["youtube", "youtube.force-ssl"];

export type YouTubeSession = { account: string; grant: string };

/** Who calls, with one of the scopes, at the price of the call in quota units. */
export function sessionOf(state: YouTubeState, call: Call, scopes: string[], units: number): YouTubeSession {
  const live = state.grants.look(bearer(call), "access");
  if (!live) throw refusals.badToken();
  call.get("entry").account = live.account;
  const isCovered = [...WHOLE, ...scopes].some((scope) => live.scopes.includes(PREFIX + scope));
  if (!isCovered) throw refusals.noScope();
  if (!state.spend("units", units)) throw refusals.quota();
  return { account: live.account, grant: live.grant };
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}
