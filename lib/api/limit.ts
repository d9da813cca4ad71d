import { hash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { env } from "../env";
import { addressOf, networkOf } from "../http/client-address";
import { json } from "../http/json";
import { rateLimitHeaders, take, tooManyMessage } from "../http/rate-limit";
import { sessionSubject } from "../users";

const POLICY = "api";

/**
 * At most `RATE_LIMIT_API` requests a minute for each token or session user; for each address where there is neither.
 * Tokens that turn out to be none count for their address too, all together: who makes up a new one each time is told 429
 * instead of 401 in the end, and whoever has a good one at the same address notices nothing of it.
 */
export const limitRequests: MiddlewareHandler = async (context, next) => {
  const { headers } = context.req.raw;
  const address = addressOf(headers, context.env);
  const byAddress = address && `address ${networkOf(address)}`;
  const key = (await credentialOf(headers)) ?? byAddress;
  if (!key) return next();
  let standing = take(POLICY, key, env.rateLimits.api);
  if (standing.allowed) {
    await next();
    if (context.res.status === 401 && byAddress && key !== byAddress) {
      standing = take(POLICY, byAddress, env.rateLimits.api);
    }
  }
  if (!standing.allowed) {
    context.res = undefined; // what was to be answered says nothing any more
    context.res = json(tooManyMessage(standing), { status: 429 });
  }
  for (const [name, value] of Object.entries(rateLimitHeaders(POLICY, standing))) context.res.headers.set(name, value);
};

/** Undefined where a request carries no credential, whatever it is worth. */
async function credentialOf(headers: Headers): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  if (authorization) {
    const token = authorization.replace(/^bearer /i, ""); // however the scheme is spelled, it is one token
    return `token ${hash("sha256", token, "base64")}`;
  }
  const user = await sessionSubject(headers);
  return user && `user ${user}`;
}
