import { isDatabaseUnavailable } from "../db";
import { RETRY_AFTER_SECONDS } from "../http/unavailable";
import { log } from "../log";

/** An error of RFC 6749: of the token and revocation endpoints (section 5.2) or of an authorization request (4.1.2.1). */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
  ) {
    super(description);
    this.name = "OAuthError";
  }
}

type OAuthErrorCode = keyof typeof statuses;

const statuses = {
  access_denied: 400,
  consent_required: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_request: 400,
  invalid_scope: 400,
  invalid_target: 400,
  login_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  slow_down: 429,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
} as const;

function statusOf(error: OAuthError): number {
  return statuses[error.code];
}

/** Runs `work` and answers with JSON that must not be cached (RFC 6749, sections 5.1 and 5.2). */
export async function answerOAuth(work: () => Promise<object | undefined>): Promise<Response> {
  try {
    return respond(200, await work());
  } catch (error) {
    if (error instanceof OAuthError) {
      return respond(statusOf(error), { error: error.code, error_description: error.description });
    }
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "an OAuth endpoint failed");
    if (isDatabaseUnavailable(error)) {
      const description = "The service is not ready; try again in a moment";
      return respond(503, { error: "temporarily_unavailable", error_description: description });
    }
    return respond(500, { error: "server_error", error_description: "Something went wrong on our side" });
  }
}

function respond(status: number, body: object | undefined): Response {
  const headers = new Headers({ "cache-control": "no-store", pragma: "no-cache" });
  if (status === 401) headers.set("www-authenticate", 'Basic realm="carillon"');
  if (status === 429) headers.set("retry-after", "10");
  if (status === 503) headers.set("retry-after", String(RETRY_AFTER_SECONDS));
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers });
}
