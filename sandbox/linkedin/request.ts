import type { z } from "zod";
import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import {
  badShape,
  badValue,
  dailyLimitReached,
  emptyToken,
  expiredToken,
  forbidden,
  invalidToken,
  LinkedInError,
  revokedToken,
} from "./errors";
import { type LinkedInState, pagesOf, personUrn } from "./state";

/** `authors`: the URNs for which the member may post: their own, and those of the pages that they administer. */
export type LinkedInSession = { account: string; grant: string; urn: string; authors: string[]; scopes: string[] };

/** The oldest and the newest supported version (learn.microsoft.com, versioning, 2026-11). */
const VERSIONS = { oldest: "202512", newest: "202610" };
const CALLS_A_DAY = 150;

/** Authenticates a call of the versioned API: version headers, the posting scope and the daily limit. */
export function sessionOf(state: LinkedInState, call: Call, resource: string): LinkedInSession {
  assertVersion(state, call.req.header("linkedin-version"));
  assertProtocol(call);
  return unversionedSessionOf(state, call, resource);
}

export function assertProtocol(call: Call): void {
  if (call.req.header("x-restli-protocol-version") === "2.0.0") return;
  throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "X-Restli-Protocol-Version must be 2.0.0");
}

/** The same for a call of the older API below `/v2`, which has no versions. */
export function unversionedSessionOf(state: LinkedInState, call: Call, resource: string): LinkedInSession {
  const live = requireToken(state, call);
  if (!live.scopes.includes("w_member_social")) throw noPermission(resource);
  const day = new Date(state.world.clock.now()).toISOString().slice(0, 10);
  if (!state.windows.take(`${day}/${live.account}`, CALLS_A_DAY, 2 * 86_400).isAllowed) throw dailyLimitReached();
  const urn = personUrn(live.account);
  const isForPages = live.scopes.includes("w_organization_social");
  const pages = isForPages ? pagesOf(state, live.account).filter(({ role }) => role === "ADMINISTRATOR") : [];
  const authors = [urn, ...pages.map((page) => page.urn)];
  return { account: live.account, grant: live.grant, urn, authors, scopes: live.scopes };
}

/** LinkedIn's answer if the member may not post as the author. */
export function assertAuthor({ authors }: LinkedInSession, urn: string): void {
  if (authors.includes(urn)) return;
  throw forbidden(
    "Field Value validation failed in REQUEST_BODY: Data Processing Exception while processing fields [/author]",
  );
}

/** `GET /rest/organizationAcls?q=roleAssignee`: the member's roles on company pages. */
export function listRoles(state: LinkedInState, call: Call): Response {
  const { account, urn, scopes } = sessionOf(state, call, "organizationAcls.FINDER-roleAssignee");
  if (!scopes.includes("rw_organization_admin")) throw noPermission("organizationAcls.FINDER-roleAssignee");
  const { q, state: asked, start = "0", count = "10" } = call.req.query();
  if (q !== "roleAssignee") throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "q must be roleAssignee");
  if (asked !== undefined && asked !== "APPROVED") throw badValue("/state :: unknown");
  const all = pagesOf(state, account);
  const elements = all
    .slice(Number(start), Number(start) + Number(count))
    .map((page) => ({ role: page.role, roleAssignee: urn, state: "APPROVED", organization: page.urn }));
  return call.json({ elements, paging: { start: Number(start), count: Number(count), total: all.length, links: [] } });
}

/** `GET /rest/organizationsLookup?ids=List(1,2)`: names of company pages, by id. */
export function lookUpPages(state: LinkedInState, call: Call): Response {
  const { scopes } = sessionOf(state, call, "organizationsLookup.BATCH_GET");
  if (!scopes.includes("rw_organization_admin")) throw noPermission("organizationsLookup.BATCH_GET");
  const [, list] = /[?&]ids=List\(([\d,]+)\)/.exec(call.req.url) ?? [];
  if (!list) throw badValue("ids must be a List of numbers");
  const known = list.split(",").flatMap((id) => {
    const page = state.pages.values().find(({ urn }) => urn === `urn:li:organization:${id}`);
    return page ? [[id, { id: Number(id), localizedName: page.name, vanityName: `page-${id}` }]] : [];
  });
  return call.json({ results: Object.fromEntries(known), statuses: {}, errors: {} });
}

function assertVersion({ switches }: LinkedInState, version: string | undefined): void {
  if (!version) throw new LinkedInError(400, "VERSION_MISSING", "A version must be present. Please specify a version");
  const isLive = version >= VERSIONS.oldest && version <= VERSIONS.newest && version !== switches.retired;
  if (/^\d{6}$/.test(version) && isLive) return;
  throw new LinkedInError(426, "NONEXISTENT_VERSION", `Requested version ${version} is not active`);
}

export function noPermission(resource: string): LinkedInError {
  return forbidden(`Not enough permissions to access: ${resource}.20260900`);
}

/**
 * The valid token of a call.
 * @throws LinkedInError that tells whether the token is missing, unknown, expired or revoked
 */
export function requireToken(state: LinkedInState, call: Call) {
  const token = bearer(call);
  if (!token) throw emptyToken();
  const live = state.grants.findToken(token, "access");
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

/** The URN in the path, which must be percent-encoded. */
export function urnIn(call: Call): string {
  const last = new URL(call.req.url).pathname.split("/").at(-1) ?? "";
  if (last.includes(":")) throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "URNs in a path must be encoded");
  return decodeURIComponent(last);
}

/**
 * Parses the JSON body.
 * @throws LinkedInError that states the first problem in Rest.li's words
 */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  const value: unknown = await call.req.json().catch(() => {
    throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "Request body could not be converted to data map");
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = `/${[...(issue?.path ?? [])].join("/")}`;
  if (issue?.code === "unrecognized_keys") {
    throw badShape(`${at === "/" ? "" : at}/${issue.keys[0]} :: unrecognized field found but not allowed`);
  }
  if (valueAt(value, issue?.path ?? []) === undefined) {
    throw badShape(`${at} :: field is required but not found and has no default value`);
  }
  throw badValue(`${at} :: ${issue?.message}`);
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<PropertyKey, unknown> | undefined)?.[name], value);
}
