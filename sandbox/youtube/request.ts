import type { Call } from "../core/network";
import { errors, YouTubeError } from "./errors";
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

/** Authenticates a call: token, one of the scopes and the quota units that the call costs. */
export function sessionOf(state: YouTubeState, call: Call, scopes: string[], units: number): YouTubeSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw errors.badToken();
  call.get("entry").account = live.account;
  const isCovered = [...WHOLE, ...scopes].some((scope) => live.scopes.includes(PREFIX + scope));
  if (!isCovered) throw errors.noScope();
  if (!state.spend("units", units)) throw errors.quota();
  return { account: live.account, grant: live.grant };
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/**
 * Parses the required parameter `part`.
 * @throws YouTubeError for unknown parts
 */
export function partsOf(call: Call, known: string[]): string[] {
  const parts = (call.req.queries("part") ?? []).flatMap((part) => part.split(",")).filter(Boolean);
  const where = { location: "part", locationType: "parameter" };
  if (parts.length === 0)
    throw new YouTubeError(400, "missingRequiredParameter", "No filter selected. Expected one of: part", where);
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown) throw new YouTubeError(400, "unknownPart", `'${unknown}'`, { domain: "youtube.part", ...where });
  return parts;
}

/** A resource with only the requested parts. kind, etag and id are always included. */
export function pickParts(resource: Record<string, unknown>, parts: string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => ["kind", "etag", "id"].includes(name) || parts.includes(name)),
  );
}
