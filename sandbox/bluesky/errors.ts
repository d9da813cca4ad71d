import type { Call } from "../core/network";

/** An XRPC error, with the names and messages of the reference server. Source: atproto.com/specs/xrpc. */
export class XrpcError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 501,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** An OAuth error of the authorization server (RFC 6749). */
export class OAuthError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(message);
  }
}

export function invalidRequest(message: string, code = "InvalidRequest"): XrpcError {
  return new XrpcError(400, code, message);
}

/** Bluesky responds with 400, not 401. */
export function expiredToken(message = "Token has expired"): XrpcError {
  return new XrpcError(400, "ExpiredToken", message);
}

export function authRequired(message = "Authentication Required", code = "AuthenticationRequired"): XrpcError {
  return new XrpcError(401, code, message);
}

/** A resource server's error about a DPoP proof or a DPoP-bound token (RFC 9449, section 7.1). */
export function proofError(code: "use_dpop_nonce" | "invalid_token" | "invalid_dpop_proof", message: string) {
  const challenge = `DPoP algs="ES256", error="${code}", error_description="${message}"`;
  return new XrpcError(401, code, message, { "www-authenticate": challenge });
}

export function internalError(call: Call): Response {
  return call.json({ error: "InternalServerError", message: "Internal Server Error" }, 500);
}

export function notFound(call: Call): Response {
  const isMethod = new URL(call.req.url).pathname.includes("/xrpc/");
  if (isMethod) return call.json({ error: "MethodNotImplemented", message: "Method Not Implemented" }, 501);
  return call.json({ error: "NotFound", message: "Not Found" }, 404);
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof OAuthError)
    return call.json({ error: error.code, error_description: error.message }, error.status);
  if (error instanceof XrpcError)
    return call.json({ error: error.code, message: error.message }, error.status, error.headers);
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}
