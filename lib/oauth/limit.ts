import { env } from "../env";
import { subnetOf } from "../http/client-address";
import { addHeaders, json } from "../http/json";
import { countRequest, rateLimitHeaders, tooManyMessage } from "../http/rate-limit";
import type { Application } from "./applications";
import { OAuthError } from "./errors";

const POLICY = "token";

/**
 * Allows `RATE_LIMIT_AUTH` requests a minute for each client that has authenticated, whatever address it has. Everybody knows
 * the id of a public client, so its requests count per address. Requests without a valid client count for their address; a
 * client that authenticates is not affected by them.
 * @param answer calls `admit` once the client has authenticated; `admit` throws if the client has no request left
 */
export async function limitClients(
  address: string,
  answer: (admit: (client: Application) => void) => Promise<Response>,
): Promise<Response> {
  const limit = env.rateLimits.auth;
  const place = subnetOf(address);
  let standing = countRequest(POLICY, `address ${place}`, limit);
  const answered = await answer(({ clientId, isPublic }) => {
    standing = countRequest(POLICY, `client ${clientId}${isPublic ? ` ${place}` : ""}`, limit);
    if (!standing.allowed) throw new OAuthError("slow_down", "Too many requests of this client");
  });
  const response = standing.allowed ? answered : json(tooManyMessage(standing), { status: 429 });
  addHeaders(response, rateLimitHeaders(POLICY, standing));
  return response;
}
