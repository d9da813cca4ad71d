import type * as z from "zod";
import { fingerprint } from "../core/ids";
import { type Call, hasFault } from "../core/network";
import { type LinkedInState, type Page, pagesOf, personUrn } from "./state";

/** `authors`: the URNs for which the member may post: their own, and those of the pages that they administer. */
export type LinkedInSession = { account: string; grant: string; urn: string; authors: string[]; scopes: string[] };

/** The oldest supported version (learn.microsoft.com, versioning, 2026-11). */
const OLDEST_VERSION = "202512";

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

/** The roles that may post as a company page. Sources: the posts page, permissions; the roles page names the second one in full. */
const MAY_POST = ["ADMINISTRATOR", "CONTENT_ADMIN", "CONTENT_ADMINISTRATOR", "DIRECT_SPONSORED_CONTENT_POSTER"];

/** The same for a call of the older API below `/v2`, which has no versions. */
export function unversionedSessionOf(state: LinkedInState, call: Call, resource: string): LinkedInSession {
  const live = requireToken(state, call);
  if (!live.scopes.includes("w_member_social")) throw noPermission(resource);
  countCall(state, live.account);
  const urn = personUrn(live.account);
  const isForPages = live.scopes.includes("w_organization_social");
  const pages = isForPages ? pagesOf(state, live.account).filter(({ role }) => MAY_POST.includes(role)) : [];
  const authors = [urn, ...pages.map((page) => page.urn)];
  return { account: live.account, grant: live.grant, urn, authors, scopes: live.scopes };
}

/** Counts a call against the member's limit of the day. */
export function countCall(state: LinkedInState, account: string): void {
  const day = new Date(state.world.clock.now()).toISOString().slice(0, 10);
  const { isAllowed } = state.windows.take(`${day}/${account}`, state.switches.callsPerDay, 2 * 86_400);
  if (!isAllowed) throw dailyLimitReached();
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

/** `GET /rest/organizations?ids=List(1,2)`: the pages that the member administers. The others have a status of 403. */
export function readAdministeredPages(state: LinkedInState, call: Call): Response {
  const { account, ids } = pagesCall(state, call, "organizations.BATCH_GET");
  const own = pagesOf(state, account).filter(({ role }) => role === "ADMINISTRATOR");
  const results = Object.fromEntries(presentPages(own, ids));
  return call.json({
    results,
    statuses: Object.fromEntries(ids.map((id) => [id, results[id] ? 200 : 403])),
    errors: {},
  });
}

/** `GET /rest/organizationsLookup?ids=List(1,2)`: any pages, by id. */
export function lookUpPages(state: LinkedInState, call: Call): Response {
  const { ids } = pagesCall(state, call, "organizationsLookup.BATCH_GET");
  const results = Object.fromEntries(presentPages(state.pages.values(), ids));
  return call.json({ results, statuses: {}, errors: {} });
}

function pagesCall(state: LinkedInState, call: Call, resource: string): { account: string; ids: string[] } {
  const { account, scopes } = sessionOf(state, call, resource);
  if (!scopes.includes("rw_organization_admin")) throw noPermission(resource);
  const [, list] = /[?&]ids=List\(([\d,]+)\)/.exec(call.req.url) ?? [];
  if (!list) throw badValue("ids must be a List of numbers");
  return { account, ids: list.split(",") };
}

function presentPages(pages: Page[], ids: string[]): [id: string, page: object][] {
  return ids.flatMap((id): [string, object][] => {
    const page = pages.find(({ urn }) => urn === `urn:li:organization:${id}`);
    return page ? [[id, { id: Number(id), localizedName: page.name, vanityName: `page-${id}` }]] : [];
  });
}

function assertVersion({ switches }: LinkedInState, version: string | undefined): void {
  if (!version) throw new LinkedInError(400, "VERSION_MISSING", "A version must be present. Please specify a version");
  const isLive = version >= OLDEST_VERSION && version <= switches.newestVersion && version !== switches.retired;
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
    if (hasFault(call, "token_unknown")) throw revokedToken();
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

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 426 | 429;

/** An error of the versioned API. Source: learn.microsoft.com, LinkedIn API error handling. */
export class LinkedInError extends Error {
  constructor(
    readonly status: Status,
    readonly code: string | undefined,
    message: string,
    readonly serviceErrorCode?: number,
    readonly errorDetails?: unknown,
  ) {
    super(message);
  }
}

export const badValue = (message: string, code = "INVALID_VALUE_FOR_FIELD") => new LinkedInError(400, code, message);

/** A refused value with `errorDetails` as the switch says. Their form is not documented. */
export function detailedValue({ switches }: LinkedInState, message: string, code: string): LinkedInError {
  const inputs = [{ description: message, input: { inputPath: { fieldPath: "commentary" } }, code }];
  const forms = { none: undefined, list: { inputErrors: inputs }, object: { inputErrors: { "/commentary": code } } };
  return new LinkedInError(400, code, message, undefined, forms[switches.errorDetails]);
}

/** 422 for unknown and missing fields, in Rest.li's words. */
export const badShape = (message: string) => new LinkedInError(422, undefined, `ERROR :: ${message}\n`);
export const forbidden = (message: string) => new LinkedInError(403, "ACCESS_DENIED", message, 100);
export const expiredToken = () =>
  new LinkedInError(401, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired", 65602);
export const revokedToken = () =>
  new LinkedInError(401, "REVOKED_ACCESS_TOKEN", "The token used in the request has been revoked", 65601);
export const invalidToken = () => new LinkedInError(401, "INVALID_ACCESS_TOKEN", "Invalid access token", 65600);
export const emptyToken = () => new LinkedInError(401, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token", 65604);
export const duplicateOf = (urn: string) => new LinkedInError(422, undefined, `Content is a duplicate of ${urn}`);
export const waitingForUpload = () =>
  badValue("The media asset is not ready to be used: MEDIA_ASSET_WAITING_UPLOAD", "MEDIA_ASSET_WAITING_UPLOAD");

/** The daily limit appears only in the message; there are no rate headers and no `Retry-After`. */
export const dailyLimitReached = () =>
  new LinkedInError(
    429,
    "TOO_MANY_REQUESTS",
    "Resource level throttle MEMBER DAY limit for calls to this resource is reached.",
    101,
  );
export const tooManyRequests = () => new LinkedInError(429, "TOO_MANY_REQUESTS", "Too many requests", 101);

/** An error of the token endpoint, which has its own format. */
export class LinkedInTokenError extends Error {
  constructor(
    readonly status: 400 | 401,
    readonly error: string,
    description: string,
  ) {
    super(description);
  }
}

export const invalidGrantError = () =>
  new LinkedInTokenError(
    400,
    "invalid_request",
    "The provided authorization grant or refresh token is invalid, expired or revoked",
  );

export function notFound(call: Call): Response {
  const message = `No virtual resource found: ${new URL(call.req.url).pathname}`;
  return call.json({ status: 404, code: "RESOURCE_NOT_FOUND", message }, 404);
}

export function internalError(call: Call): Response {
  return call.json({ status: 500, message: "Internal Server Error" }, 500);
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof LinkedInTokenError) {
    return call.json({ error: error.error, error_description: error.message }, error.status);
  }
  if (error instanceof LinkedInError) {
    const { status, serviceErrorCode, code, message, errorDetails } = error;
    return call.json({ status, serviceErrorCode, code, message, errorDetails }, status);
  }
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}
