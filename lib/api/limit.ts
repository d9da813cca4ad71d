import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { env } from "../env";
import { addressOf, networkOf } from "../http/client-address";
import { rateLimitHeaders, take, tooManyMessage } from "../http/rate-limit";
import { sessionSubject } from "../users";

const POLICY = "api";

/** At most `RATE_LIMIT_API` requests a minute for each token or session user; for each address where there is neither. */
export const limitRequests: MiddlewareHandler = async (context, next) => {
  const key = await keyOf(context.req.raw.headers, context.env);
  if (!key) return next();
  const standing = take(POLICY, key, env.rateLimits.api);
  const headers = rateLimitHeaders(POLICY, standing);
  if (!standing.allowed) return context.json(tooManyMessage(standing), 429, headers);
  await next();
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};

/** Undefined where nobody can be told from anybody else: without a connection, as in a function that only hosts pages. */
async function keyOf(headers: Headers, surroundings: unknown): Promise<string | undefined> {
  const authorization = headers.get("authorization");
  if (authorization) {
    const token = authorization.replace(/^bearer /i, ""); // however the scheme is spelled, it is one token
    return `token ${createHash("sha256").update(token).digest("base64url")}`;
  }
  const user = await sessionSubject(headers);
  if (user) return `user ${user}`;
  const address = addressOf(headers, surroundings);
  return address && `address ${networkOf(address)}`;
}
