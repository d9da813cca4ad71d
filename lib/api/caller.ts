import { ownerOfWebhooksFrame } from "../connect";
import { env } from "../env";
import { AccessDenied, BadRequest, Unauthorized } from "../errors";
import { findBearerGrant, type Grant, hasScope, recordGrantUse, type Scope } from "../oauth";
import { type ConnectUser, countPartnerCall, getConnectUser } from "../partners";
import type { Proposer } from "../schedules";
import { assertFreshSession, BeingDeleted, type Session, sessionOf } from "../users";
import type { Subscriber } from "../webhooks";
import { headerText } from "./headers";
import { setRequestCaller } from "./request-log";

/**
 * The authenticated caller. `ownerId` is the user whose data is read and written; `session` is the dashboard's, if it calls;
 * `clientId` is the application that calls for the user.
 */
export type Caller = {
  ownerId: string;
  session?: Session;
  sessionEpoch?: number;
  clientId?: string;
  /** The token lacks the scope of the route and has `posts.propose`: it may create drafts, and read those that it created. */
  proposer?: Proposer;
};
export type PartnerCaller = { id: string; clientId: string };

const CONNECT_ID = "x-connect-user-id";
const EXTERNAL_ID = "x-connect-external-user-id";

/**
 * Authenticates and authorises a call for one user, by a bearer token or the dashboard's session cookie.
 * @throws Unauthorized, AccessDenied, BadRequest, NotFound as in DECISIONS ("Partner calls")
 */
export async function callerOf(
  headers: Headers,
  method: string,
  scope: Scope,
  { orProposer = false }: { orProposer?: boolean } = {},
): Promise<Caller> {
  if (!headers.has("authorization")) return sessionCaller(headers, method);
  const { proposer, ...grant } = await bearerGrant(headers, scope, orProposer);
  if (grant.partner) {
    const ownerId = await connectUserId(grant.partner.id, headers);
    setRequestCaller(headers, { grantId: grant.id, ownerId });
    return { ownerId, proposer };
  }
  if (namesConnectUser(headers)) throw new AccessDenied();
  if (!grant.user) throw new Unauthorized();
  if (grant.user.deleting) throw new BeingDeleted();
  recordGrantUse(grant.id);
  return { ownerId: grant.user.id, sessionEpoch: grant.user.sessionEpoch, clientId: grant.clientId, proposer };
}

/**
 * Like `callerOf`, but a partner that names no user calls in its own name, for all its users.
 * @param orFrame whether the list of webhooks in a partner's page may call too, with the token of its frame (ADR 50)
 */
export async function subscriberOf(
  headers: Headers,
  method: string,
  { scope, orFrame }: { scope: Scope; orFrame?: boolean },
): Promise<Subscriber> {
  const frameOwner = orFrame ? await frameOwnerOf(headers) : undefined;
  if (frameOwner) {
    if (namesConnectUser(headers)) throw new AccessDenied();
    return { ownerId: frameOwner };
  }
  if (headers.has("authorization") && !namesConnectUser(headers)) {
    const { partner } = await bearerGrant(headers, scope);
    if (partner) return { partnerId: partner.id };
  }
  const { ownerId, sessionEpoch, clientId } = await callerOf(headers, method, scope);
  return { ownerId, sessionEpoch, clientId };
}

/** Like `callerOf`, for calls that a partner makes in its own name. */
export async function partnerOf(headers: Headers): Promise<PartnerCaller> {
  const grant = await bearerGrant(headers, "api");
  if (!grant.partner) throw new AccessDenied();
  return grant.partner;
}

/** A call of the dashboard must come from a session whose person signed in within the last minutes. Tokens need nothing more. */
export async function assertFreshIfSession(headers: Headers): Promise<void> {
  if (!headers.has("authorization")) assertFreshSession(await sessionOfRequest(headers));
}

const sessions = new WeakMap<Headers, Promise<Session | undefined>>();

/** Returns the session of a request's cookie. The limit of the API and the route both ask for it, and it is read once. */
export function sessionOfRequest(headers: Headers): Promise<Session | undefined> {
  const session = sessions.get(headers) ?? sessionOf(headers);
  sessions.set(headers, session);
  return session;
}

/**
 * Checks again that the caller of a request may act, after its body has arrived: that can take half a minute, and a reset of the
 * password or the end of a session or token must count for this request, too.
 * @throws Unauthorized, AccessDenied, BeingDeleted
 */
export async function assertNotLockedOut(headers: Headers): Promise<void> {
  if (!headers.has("authorization")) return assertUsable(await sessionOf(headers));
  const token = bearerTokenOf(headers) ?? "";
  const grant = await findBearerGrant(token);
  if (!grant && !(await ownerOfWebhooksFrame(token))) throw new Unauthorized();
  if (grant?.suspended) throw new AccessDenied();
  if (grant?.user?.deleting) throw new BeingDeleted();
}

function assertUsable(session: Session | undefined): asserts session is Session {
  if (!session) throw new Unauthorized();
  if (session.user.suspended) throw new AccessDenied();
  if (session.user.deleting) throw new BeingDeleted();
}

const proposals = new WeakSet<Headers>();

/** Limits the request with these headers to what the scope `posts.propose` covers, whatever its token can do. */
export function limitToProposals(headers: Headers): void {
  proposals.add(headers);
}

const frameOwners = new WeakMap<Headers, Promise<string | undefined>>();

/** Returns the user of a list of webhooks in a partner's page. The limit of the API and the route both ask for it, and it is read once. */
export function frameOwnerOf(headers: Headers): Promise<string | undefined> {
  const owner = frameOwners.get(headers) ?? ownerOfWebhooksFrame(bearerTokenOf(headers) ?? "");
  frameOwners.set(headers, owner);
  return owner;
}

const bearerGrants = new WeakMap<Headers, Promise<Grant | undefined>>();

/** Returns the grant of a request's bearer token. The limit of the API and the route both ask for it, and it is read once. */
export function bearerGrantOf(headers: Headers): Promise<Grant | undefined> {
  const grant = bearerGrants.get(headers) ?? findBearerGrant(bearerTokenOf(headers) ?? "");
  bearerGrants.set(headers, grant);
  return grant;
}

function bearerTokenOf(headers: Headers): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

async function bearerGrant(
  headers: Headers,
  scope: Scope,
  orProposer = false,
): Promise<Grant & Pick<Caller, "proposer">> {
  const grant = await bearerGrantOf(headers);
  if (!grant) throw new Unauthorized();
  setRequestCaller(headers, { grantId: grant.id, ownerId: grant.user?.id, partnerId: grant.partner?.id });
  if (grant.partner) countPartnerCall(grant.partner.id);
  if (grant.suspended) throw new AccessDenied();
  // A partner's token has every scope, because the partner's users have no other way to these calls.
  const mayDoAll = Boolean(grant.partner);
  const isLimited = proposals.has(headers);
  if (!isLimited && (mayDoAll || hasScope(grant.scopes, scope))) return grant;
  if (!orProposer || !(mayDoAll || hasScope(grant.scopes, "posts.propose"))) throw new AccessDenied();
  const clientId = grant.clientId ?? `personal:${grant.id}`; // each personal token counts as an application of its own
  return { ...grant, proposer: { clientId, name: grant.name ?? "A personal token" } };
}

/**
 * The application of a token that may propose posts, and its scopes.
 * @throws Unauthorized; AccessDenied without the scope `posts.propose`
 */
export function proposingGrant(headers: Headers): Promise<Grant> {
  return bearerGrant(headers, "posts.propose");
}

/** Only a partner can act for others (RELIABILITY, A11). */
function namesConnectUser(headers: Headers): boolean {
  return headers.has(CONNECT_ID) || headers.has(EXTERNAL_ID);
}

/** For a change, the cookie counts only if the browser sends the origin of our own pages. */
async function sessionCaller(headers: Headers, method: string): Promise<Caller> {
  const session = await sessionOfRequest(headers);
  assertUsable(session);
  const { user } = session;
  if (namesConnectUser(headers)) throw new AccessDenied();
  const changes = method !== "GET" && method !== "HEAD";
  if (changes && headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
  return { ownerId: user.id, session, sessionEpoch: user.sessionEpoch };
}

/** The user that a partner's call is for, as given in the headers. */
export function connectIdentityOf(headers: Headers): (string | null)[] {
  return [headers.get(CONNECT_ID), headers.get(EXTERNAL_ID)];
}

const namedUsers = new WeakMap<Headers, Promise<ConnectUser>>();

/**
 * Returns the partner's user that the identity headers name, even if it is suspended or being deleted. The limit of the API and
 * the route both ask for it, and it is read once.
 * @throws BadRequest if they name no user or two; NotFound
 */
export function namedUserOf(partnerId: string, headers: Headers): Promise<ConnectUser> {
  const user = namedUsers.get(headers) ?? readNamedUser(partnerId, headers);
  namedUsers.set(headers, user);
  return user;
}

async function readNamedUser(partnerId: string, headers: Headers): Promise<ConnectUser> {
  const uuid = headers.get(CONNECT_ID);
  const externalUserId = headerText(headers, EXTERNAL_ID);
  if (!uuid && !externalUserId) throw new BadRequest("X-Connect-User-Id or X-Connect-External-User-Id cannot be null");
  const byUuid = uuid ? await getConnectUser(partnerId, { uuid }) : undefined;
  const byExternal = externalUserId ? await getConnectUser(partnerId, { externalUserId }) : undefined;
  if (byUuid && byExternal && byUuid.id !== byExternal.id) {
    throw new BadRequest("X-Connect-User-Id and X-Connect-External-User-Id name different users");
  }
  const user = byUuid ?? byExternal;
  if (!user) throw new AccessDenied();
  return user;
}

/** Returns the ID of the partner's user that the identity headers name, if the partner may call for it. */
export async function connectUserId(partnerId: string, headers: Headers): Promise<string> {
  const user = await namedUserOf(partnerId, headers);
  if (user.suspended) throw new AccessDenied();
  if (user.deleting) throw new BeingDeleted();
  return user.id;
}
