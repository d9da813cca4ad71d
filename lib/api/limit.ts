import type { Context } from "hono";
import { env } from "../env";
import { clientAddressOf, subnetOf } from "../http/client-address";
import { addHeaders, json } from "../http/json";
import { countRequest, rateLimitHeaders, tooManyMessage } from "../http/rate-limit";
import { findBearerGrant } from "../oauth";
import { connectIdentityOf, frameOwnerOf, sessionOfRequest } from "./caller";

const POLICY = "api";
/** 258 bits of a signature, in base64url. */
const SIGNATURE_CHARACTERS = 43;
/** Longer than an ID, and long enough to tell a partner's own names for its users apart. */
const IDENTITY_CHARACTERS = 200;

/**
 * Allows `RATE_LIMIT_API` requests a minute for each person, however many tokens and sessions they use, or for each address
 * without a credential. The cookie of an ended session is no credential, so whoever still has it cannot use up the person's
 * requests. A partner's calls count for the user that they name, so that one busy user does not stop the others; its calls in
 * its own name count for the partner. Requests with invalid tokens also count together for their address: a client that tries
 * new tokens gets 429 instead of 401 in the end, while valid tokens from the same address are not affected.
 */
export async function limitRequests(context: Context, answer: () => Promise<void>): Promise<void> {
  const { headers } = context.req.raw;
  const credential = await credentialOf(headers);
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
  const address = clientAddressOf(context.req.raw.headers, context.env);
  return address && `address ${subnetOf(address)}`;
}

/** Returns the key of the person who calls, or of an invalid token; undefined if there is no credential. */
async function credentialOf(headers: Headers): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  if (authorization === null || authorization === "") {
    const session = await sessionOfRequest(headers);
    return session && `user ${session.user.id}`;
  }
  const token = authorization.replace(/^bearer /i, ""); // the scheme may be spelled in any case
  const grant = await findBearerGrant(token); // kept in memory, and the route asks for it again
  if (grant?.user) return `user ${grant.user.id}`;
  if (grant?.partner) {
    const [uuid, externalId] = connectIdentityOf(headers);
    return `partner ${grant.partner.id} ${uuid ?? externalId ?? ""}`.slice(0, IDENTITY_CHARACTERS);
  }
  const frameOwner = await frameOwnerOf(headers).catch(() => undefined); // a session that has ended is an invalid token
  if (frameOwner) return `user ${frameOwner}`;
  // The end of a token is its signature, which identifies it, so no token is kept whole.
  return `token ${token.slice(-SIGNATURE_CHARACTERS)}`;
}
