import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import {
  dayIsUsedUp,
  emptyToken,
  expiredToken,
  forbidden,
  invalidToken,
  LinkedInRefusal,
  revokedToken,
} from "./errors";
import { type LinkedInState, personUrn } from "./state";

export type LinkedInSession = { account: string; grant: string; urn: string };

/** The versions that answer; the oldest and the newest one (learn.microsoft.com, versioning, 2026-11). */
const VERSIONS = { oldest: "202512", newest: "202610" };
const CALLS_A_DAY = 150;

/** Who calls the versioned API: with its headers, the scope to post, and within the day's allowance. */
export function sessionOf(state: LinkedInState, call: Call, resource: string): LinkedInSession {
  assertVersion(state, call.req.header("linkedin-version"));
  if (call.req.header("x-restli-protocol-version") !== "2.0.0") {
    throw new LinkedInRefusal(400, "ILLEGAL_ARGUMENT", "X-Restli-Protocol-Version must be 2.0.0");
  }
  const live = tokenOf(state, call);
  if (!live.scopes.includes("w_member_social")) throw noPermission(resource);
  const day = new Date(state.world.clock.now()).toISOString().slice(0, 10);
  if (!state.windows.take(`${day}/${live.account}`, CALLS_A_DAY, 2 * 86_400).isAllowed) throw dayIsUsedUp();
  return { account: live.account, grant: live.grant, urn: personUrn(live.account) };
}

function assertVersion({ switches }: LinkedInState, version: string | undefined): void {
  if (!version)
    throw new LinkedInRefusal(400, "VERSION_MISSING", "A version must be present. Please specify a version");
  const isLive = version >= VERSIONS.oldest && version <= VERSIONS.newest && version !== switches.retired;
  if (/^\d{6}$/.test(version) && isLive) return;
  throw new LinkedInRefusal(426, "NONEXISTENT_VERSION", `Requested version ${version} is not active`);
}

export function noPermission(resource: string): LinkedInRefusal {
  return forbidden(`Not enough permissions to access: ${resource}.20260900`);
}

/** The token of a call; a dead one is told why. */
export function tokenOf(state: LinkedInState, call: Call) {
  const token = bearer(call);
  if (!token) throw emptyToken();
  const live = state.grants.look(token, "access");
  if (live) {
    call.get("entry").account = live.account;
    return live;
  }
  const endsAt = state.issued.get(fingerprint(token));
  if (endsAt === undefined) throw invalidToken();
  throw endsAt <= state.world.clock.now() ? expiredToken() : revokedToken();
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/** The URN in a path, which has to be percent-encoded there. */
export function urnIn(call: Call): string {
  const last = new URL(call.req.url).pathname.split("/").at(-1) ?? "";
  if (last.includes(":")) throw new LinkedInRefusal(400, "ILLEGAL_ARGUMENT", "URNs in a path must be encoded");
  return decodeURIComponent(last);
}
