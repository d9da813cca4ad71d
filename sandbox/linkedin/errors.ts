import type { Call } from "../core/network";

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 426 | 429;

/** An error of the versioned API. Source: learn.microsoft.com, LinkedIn API error handling. */
export class LinkedInError extends Error {
  constructor(
    readonly status: Status,
    readonly code: string | undefined,
    message: string,
    readonly serviceErrorCode?: number,
  ) {
    super(message);
  }
}

export const badValue = (message: string, code = "INVALID_VALUE_FOR_FIELD") => new LinkedInError(400, code, message);
/** 422 for unknown and missing fields, in Rest.li's words. */
export const badShape = (message: string) => new LinkedInError(422, undefined, `ERROR :: ${message}\n`);
export const forbidden = (message: string) => new LinkedInError(403, "ACCESS_DENIED", message, 100);
export const expiredToken = () =>
  new LinkedInError(401, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired", 65602);
export const revokedToken = () =>
  new LinkedInError(401, "REVOKED_ACCESS_TOKEN", "The token used in the request has been revoked", 65601);
export const invalidToken = () => new LinkedInError(401, "INVALID_ACCESS_TOKEN", "Invalid access token", 65600);
export const emptyToken = () => new LinkedInError(401, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token", 65604);
export const duplicateOf = (urn: string) => new LinkedInError(422, undefined, `Content is a duplicate of ${urn}`);
export const waitingForUpload = () =>
  badValue("The media asset is not ready to be used: MEDIA_ASSET_WAITING_UPLOAD", "MEDIA_ASSET_WAITING_UPLOAD");

/** The daily limit appears only in the message; there are no rate headers and no `Retry-After`. */
export const dailyLimitReached = () =>
  new LinkedInError(
    429,
    "TOO_MANY_REQUESTS",
    "Resource level throttle MEMBER DAY limit for calls to this resource is reached.",
    101,
  );
export const tooManyRequests = () => new LinkedInError(429, "TOO_MANY_REQUESTS", "Too many requests", 101);

/** An error of the token endpoint, which has its own format. */
export class LinkedInTokenError extends Error {
  constructor(
    readonly status: 400 | 401,
    readonly error: string,
    description: string,
  ) {
    super(description);
  }
}

export const invalidGrantError = () =>
  new LinkedInTokenError(
    400,
    "invalid_request",
    "The provided authorization grant or refresh token is invalid, expired or revoked",
  );

export function notFound(call: Call): Response {
  const message = `No virtual resource found: ${new URL(call.req.url).pathname}`;
  return call.json({ status: 404, code: "RESOURCE_NOT_FOUND", message }, 404);
}

export function internalError(call: Call): Response {
  return call.json({ status: 500, message: "Internal Server Error" }, 500);
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof LinkedInTokenError) {
    return call.json({ error: error.error, error_description: error.message }, error.status);
  }
  if (error instanceof LinkedInError) {
    const { status, serviceErrorCode, code, message } = error;
    return call.json({ status, serviceErrorCode, code, message }, status);
  }
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}
