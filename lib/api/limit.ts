import type { Context } from "hono";
import { env } from "../env";
import { clientAddressOf, subnetOf } from "../http/client-address";
import { addHeaders, json } from "../http/json";
import { countRequest, rateLimitHeaders, tooManyMessage } from "../http/rate-limit";
import { sessionSubject } from "../users";

const POLICY = "api";
/** 258 bits of a signature, in base64url. */
const SIGNATURE_CHARACTERS = 43;

/**
 * Allows `RATE_LIMIT_API` requests a minute for each token or session user, or for each address without either. Requests
 * with invalid tokens also count together for their address: a client that tries new tokens gets 429 instead of 401 in the
 * end, while valid tokens from the same address are not affected.
 */
export async function limitRequests(context: Context, answer: () => Promise<void>): Promise<void> {
  const { headers } = context.req.raw;
  const credential = await credentialOf(headers);
  const key = credential ?? addressKey(context);
  if (!key) return answer();
  let standing = countRequest(POLICY, key, env.rateLimits.api);
  if (standing.allowed) {
    await answer();
    const byAddress = credential && context.res.status === 401 ? addressKey(context) : undefined;
    if (byAddress) standing = countRequest(POLICY, byAddress, env.rateLimits.api);
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

/** Returns the key of a request's credential, valid or not; undefined if there is none. */
async function credentialOf(headers: Headers): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  // The scheme may be spelled in any case. The end of a token is its signature, which identifies it, so no token is kept
  // whole.
  if (authorization) return `token ${authorization.replace(/^bearer /i, "").slice(-SIGNATURE_CHARACTERS)}`;
  const user = await sessionSubject(headers);
  return user && `user ${user}`;
}
