/** A refusal in the words of RFC 6749: of the token and revocation endpoints (section 5.2), or of a request to authorize (4.1.2.1). */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
  ) {
    super(description);
    this.name = "OAuthError";
  }
}

export type OAuthErrorCode = keyof typeof statuses;

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

export function statusOf(error: OAuthError): number {
  return statuses[error.code];
}
