import type { Context } from "hono";
import { perProcess } from "../db/per-process";
import { env } from "../env";
import { ApiError } from "../errors";
import { clientAddressOf, subnetOf } from "../http/client-address";
import { addHeaders, json } from "../http/json";
import { keptClientAddress } from "../http/page-request";
import { countRequest, rateLimitHeaders, tooManyMessage } from "../http/rate-limit";
import { bearerGrantOf, connectIdentityOf, frameOwnerOf, namedUserOf, sessionOfRequest } from "./caller";

const POLICY = "api";
/** 258 bits of a signature, in base64url. */
const SIGNATURE_CHARACTERS = 43;
/** For how long a partner's users are remembered by the headers that name them, and how many of them. */
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Allows `RATE_LIMIT_API` requests a minute for each person, however many tokens and sessions they use, or for each address
 * without a credential. The cookie of an ended session is not a credential, so whoever still has it cannot use up the person's
 * requests. A partner's calls count for the user that they name, together with the lists in the partner's page that this user has
 * open, so that each person has one count and one busy user does not stop the others. All its other calls count for the partner:
 * those in its own name, and those that name a user it does not have, because each invented name would otherwise begin a new
 * count. Requests with invalid tokens also count together for their address: a client that tries
 * new tokens gets 429 instead of 401 in the end, while valid tokens from the same address are not affected.
 * @param isForUser whether the route can be called for one of a partner's users. Other routes ignore the headers that name one
 */
export function limitRequests(isForUser: (context: Context) => boolean) {
  return (context: Context, answer: () => Promise<void>) => limitRequest(context, answer, isForUser);
}

async function limitRequest(
  context: Context,
  answer: () => Promise<void>,
  isForUser: (context: Context) => boolean,
): Promise<void> {
  const credential = await credentialOf(context.req.raw.headers, () => isForUser(context));
  const key = credential ?? addressKey(context);
  if (!key) return answer();
  let standing = await countRequest(POLICY, key, env.rateLimits.api);
  if (standing.allowed) {
    await answer();
    const byAddress = credential && context.res.status === 401 ? addressKey(context) : undefined;
    if (byAddress) standing = await countRequest(POLICY, byAddress, env.rateLimits.api);
  }
  if (!standing.allowed) {
    context.res = undefined; // discards the response that the limit replaces
    context.res = json(tooManyMessage(standing), { status: 429 });
  }
  addHeaders(context.res, rateLimitHeaders(POLICY, standing));
}

function addressKey(context: Context): string | undefined {
  return keyOfAddress(clientAddressOf(context.req.raw.headers, context.env));
}

const keyOfAddress = (address: string | undefined) => address && `address ${subnetOf(address)}`;

/** What a request beyond the limit is told. */
export type Refusal = { message: string; afterSeconds: number };

/**
 * Counts a request of the list of accounts in a partner's page like a call of the API: for the user of its session, or for its
 * client address if no session allows it.
 * @param refuse returns the page for a request beyond the limit; without it, or without a page, the answer is JSON
 */
export async function limitEmbedded(
  headers: Headers,
  ownerId: string | undefined,
  answer: () => Promise<Response>,
  refuse: (refusal: Refusal) => Promise<Response | undefined> = async () => undefined,
): Promise<Response> {
  const key = ownerId === undefined ? keyOfAddress(keptClientAddress(headers)) : `user ${ownerId}`;
  if (!key) return answer();
  const standing = await countRequest(POLICY, key, env.rateLimits.api);
  const refused = async () => {
    const message = tooManyMessage(standing);
    const page = await refuse({ ...message, afterSeconds: standing.resetSeconds });
    return page ?? Response.json(message, { status: 429 });
  };
  const response = standing.allowed ? await answer() : await refused();
  addHeaders(response, rateLimitHeaders(POLICY, standing));
  return response;
}

/** Returns the key of the person who calls, or of an invalid token; undefined if there is no credential. */
async function credentialOf(headers: Headers, isForUser: () => boolean): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  if (authorization === null || authorization === "") {
    const session = await sessionOfRequest(headers);
    return session && `user ${session.user.id}`;
  }
  const grant = await bearerGrantOf(headers);
  if (grant?.user) return `user ${grant.user.id}`;
  if (grant?.partner) {
    const userId = isForUser() ? await partnersUserOf(grant.partner.id, headers) : undefined;
    return userId === undefined ? `partner ${grant.partner.id}` : `user ${userId}`;
  }
  const frameOwner = await frameOwnerOf(headers).catch(() => undefined); // a session that has ended is an invalid token
  if (frameOwner) return `user ${frameOwner}`;
  const token = authorization.replace(/^bearer /i, ""); // the scheme may be spelled in any case
  // The end of a token is its signature, which identifies it, so no token is kept whole.
  return `token ${token.slice(-SIGNATURE_CHARACTERS)}`;
}

/** The users that partners named in the last minute. Only the limit uses this, so it may know a user that is gone. */
const remembered = perProcess("api.limit.users", () => new Map<string, { userId: string; until: number }>());

/**
 * Returns the ID of the partner's user that the headers name, if there is one. The calls of a busy user need no query for it, and
 * the query for another one is the one that the route needs anyway.
 */
async function partnersUserOf(partnerId: string, headers: Headers): Promise<string | undefined> {
  const names = connectIdentityOf(headers);
  if (!names.some(Boolean)) return undefined;
  const key = JSON.stringify([partnerId, ...names]);
  const known = remembered.get(key);
  if (known && known.until > Date.now()) return known.userId;
  const user = await namedUserOf(partnerId, headers).catch((error) => {
    if (error instanceof ApiError) return undefined; // the partner has no such user, and the route reports that
    throw error;
  });
  remembered.delete(key); // so that it is added at the end: the oldest one is removed first
  if (!user) return undefined;
  remembered.set(key, { userId: user.id, until: Date.now() + REMEMBER_MS });
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return user.id;
}
