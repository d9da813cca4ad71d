import { createHmac } from "node:crypto";
import type { App, NetworkCall, Session } from "../network";
import { multipart } from "../wire/multipart";
import { form, query } from "../wire/query";

export const VERSION = "v26.0";

/** The identity of a call: the user's token, or a Page's token. */
export type Caller = { app: App; token: string; fetch: Session["fetch"] };

export function personOf({ app, tokens, fetch }: Session): Caller {
  return { app, token: tokens.accessToken, fetch };
}

type Fields = { [name: string]: string | undefined };

/**
 * Returns the hex HMAC-SHA256 of a call's token with our secret. Required if the application's "Require App Secret" setting is
 * on, and always allowed (developers.facebook.com/docs/graph-api/guides/secure-requests).
 */
export function proofOf({ app, token }: Pick<Caller, "app" | "token">): { appsecret_proof: string } {
  return { appsecret_proof: createHmac("sha256", app.clientSecret).update(token).digest("hex") };
}

export function get(caller: Caller, path: string, fields: Fields): Promise<Response> {
  return caller.fetch(`/${VERSION}${path}?${query({ ...fields, ...proofOf(caller) })}`, authorized(caller));
}

export function post(caller: Caller, path: string, fields: Fields, more: NetworkCall = {}): Promise<Response> {
  const call = form({ ...fields, ...proofOf(caller) });
  return caller.fetch(`/${VERSION}${path}`, { ...call, ...authorized(caller), ...more });
}

/** Like `post`, for fields that include files. */
export function send(
  caller: Caller,
  path: string,
  parts: Parameters<typeof multipart>[0],
  more: NetworkCall = {},
): Promise<Response> {
  const { headers, body } = multipart({ ...parts, ...proofOf(caller) });
  const call = { method: "POST", headers, body, timeoutSeconds: 300 };
  return caller.fetch(`/${VERSION}${path}`, { ...call, ...authorized(caller), ...more });
}

function authorized({ token }: Caller): Pick<NetworkCall, "auth"> {
  return { auth: { bearer: token } };
}
