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
 * At most `RATE_LIMIT_API` requests a minute for each token or session user; for each address where there is neither.
 * Tokens that turn out to be none count for their address too, all together: who makes up a new one each time is told 429
 * instead of 401 in the end, and whoever has a good one at the same address notices nothing of it.
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
    context.res = undefined; // what was to be answered says nothing any more
    context.res = json(tooManyMessage(standing), { status: 429 });
  }
  addHeaders(context.res, rateLimitHeaders(POLICY, standing));
}

function addressKey(context: Context): string | undefined {
  const address = clientAddressOf(context.req.raw.headers, context.env);
  return address && `address ${subnetOf(address)}`;
}

/** Undefined where a request carries no credential, whatever it is worth. */
async function credentialOf(headers: Headers): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  // However the scheme is spelled, it is one token. The end of ours is signature and tells them apart; no token is kept whole.
  if (authorization) return `token ${authorization.replace(/^bearer /i, "").slice(-SIGNATURE_CHARACTERS)}`;
  const user = await sessionSubject(headers);
  return user && `user ${user}`;
}
