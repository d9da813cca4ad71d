import { authenticateClient } from "./client-authentication";
import { answerOAuth } from "./endpoint";
import { findGrant, revokeGrant } from "./grants";
import { OAuthError } from "./oauth-error";
import { readParameters } from "./parameters";
import { grantOfRefreshToken } from "./refresh-tokens";
import { readAccessToken } from "./tokens";

/**
 * `POST /oauth/revoke` (RFC 7009): ends the grant of an access or refresh token, and with it every token of that consent.
 * What is no token, or no longer one, is answered like one that was revoked.
 */
export function answerRevocation(request: Request, address: string): Promise<Response> {
  return answerOAuth(async () => {
    const parameters = await readParameters(request);
    const { clientId } = await authenticateClient(request.headers, parameters, address);
    const { token } = parameters;
    if (token === undefined) throw new OAuthError("invalid_request", "token is missing");
    const held = (await grantOfRefreshToken(token)) ?? (await grantOfAccessToken(token));
    if (!held) return undefined;
    if (held.clientId !== clientId) throw new OAuthError("invalid_grant", "The token belongs to another client");
    await revokeGrant(held.grantId);
    return undefined;
  });
}

async function grantOfAccessToken(token: string) {
  const claims = await readAccessToken(token);
  const grant = claims && (await findGrant(claims.grantId));
  return grant && { grantId: grant.id, clientId: grant.clientId };
}
