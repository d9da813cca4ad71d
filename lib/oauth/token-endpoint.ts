import { db } from "../db";
import { env } from "../env";
import { subnetOf } from "../http/client-address";
import { addHeaders, json } from "../http/json";
import { countRequest, type RateLimitState, rateLimitHeaders, tooManyMessage } from "../http/rate-limit";
import type { Application } from "./applications";
import { authenticateClient } from "./client-authentication";
import { holdSecrets } from "./client-secrets";
import { redeemCode } from "./codes";
import { answerOAuth, OAuthError } from "./errors";
import { createGrant, findGrant, revokeGrant } from "./grants";
import { isOurAudience, type Parameters, readParameters } from "./parameters";
import { grantOfRefreshToken, type Refreshed, rotateRefreshToken, startRefreshing } from "./refresh-tokens";
import { allScopes, formatScopes, parseScopes, type Scope } from "./scopes";
import { ACCESS_TOKEN_SECONDS, issueAccessToken, readAccessToken } from "./tokens";

type TokenAnswer = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token?: string;
  scope: string;
};

type GrantType = {
  /** The kind of client that may use it. */
  of: Application["grant"];
  exchange(application: Application, parameters: Parameters): Promise<TokenAnswer>;
};

const grantTypes: { [name: string]: GrantType } = {
  authorization_code: { of: "authorization_code", exchange: exchangeCode },
  refresh_token: { of: "authorization_code", exchange: exchangeRefreshToken },
  client_credentials: { of: "client_credentials", exchange: exchangeCredentials },
};

/**
 * `POST /oauth/token` (RFC 6749, section 3.2): JSON, as SPEC shows it, or form-encoded; client credentials in the body or by
 * HTTP Basic.
 * @param address the IP address of the request
 */
export function answerTokenRequest(request: Request, address: string): Promise<Response> {
  return limitClients(address, (admit) =>
    answerOAuth(async () => {
      const parameters = await readParameters(request);
      const name = required(parameters, "grant_type");
      const grantType = Object.hasOwn(grantTypes, name) ? grantTypes[name] : undefined;
      if (!grantType) throw new OAuthError("unsupported_grant_type", "This grant type is not supported");
      const application = await authenticateClient(request.headers, parameters, address);
      await admit(application);
      if (application.grant !== grantType.of) {
        throw new OAuthError("unauthorized_client", `This client may not use the grant type ${name}`);
      }
      if (![parameters.audience, parameters.resource].every(isOurAudience)) {
        throw new OAuthError("invalid_target", `The only audience is ${env.baseUrl}`);
      }
      return grantType.exchange(application, parameters);
    }),
  );
}

async function exchangeCode({ clientId }: Application, parameters: Parameters): Promise<TokenAnswer> {
  const grantId = await redeemCode(clientId, {
    code: required(parameters, "code"),
    redirectUri: required(parameters, "redirect_uri"),
    verifier: parameters.code_verifier,
  });
  return answerOf(clientId, await startRefreshing(grantId));
}

async function exchangeRefreshToken({ clientId }: Application, parameters: Parameters): Promise<TokenAnswer> {
  const token = required(parameters, "refresh_token");
  return answerOf(clientId, await rotateRefreshToken(clientId, token, requestedScopes(parameters)));
}

/** A partner's token has every scope, whatever is requested. */
async function exchangeCredentials({ clientId }: Application, parameters: Parameters): Promise<TokenAnswer> {
  requestedScopes(parameters);
  const kind = "client_credentials";
  const grant = { kind, clientId, scopes: allScopes, expiresInSeconds: ACCESS_TOKEN_SECONDS } as const;
  const grantId = await db.transaction(async (tx) => {
    await holdSecrets(tx, clientId);
    return createGrant(grant, tx);
  });
  const token = await issueAccessToken({ grantId, subject: clientId, clientId, scopes: allScopes });
  return { ...token, token_type: "Bearer", scope: formatScopes(allScopes) };
}

async function answerOf(clientId: string, { refreshToken, grantId, userId, scopes }: Refreshed): Promise<TokenAnswer> {
  const token = await issueAccessToken({ grantId, subject: userId, clientId, scopes });
  return { ...token, token_type: "Bearer", refresh_token: refreshToken, scope: formatScopes(scopes) };
}

function requestedScopes({ scope }: Parameters): Scope[] | undefined {
  const requested = scope === undefined ? undefined : parseScopes(scope);
  if (scope !== undefined && !requested) throw new OAuthError("invalid_scope", "A requested scope does not exist");
  return requested;
}

function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}

/**
 * `POST /oauth/revoke` (RFC 7009): ends the grant of an access or refresh token, and with it every token of that consent.
 * An unknown or expired token gets the same answer as a revoked one.
 */
export function answerRevocation(request: Request, address: string): Promise<Response> {
  return limitClients(address, (admit) =>
    answerOAuth(async () => {
      const parameters = await readParameters(request);
      const client = await authenticateClient(request.headers, parameters, address);
      await admit(client);
      const { token } = parameters;
      if (token === undefined) throw new OAuthError("invalid_request", "token is missing");
      const held = (await grantOfRefreshToken(token)) ?? (await grantOfAccessToken(token));
      if (!held) return undefined;
      if (held.clientId !== client.clientId)
        throw new OAuthError("invalid_grant", "The token belongs to another client");
      await revokeGrant(held.grantId);
      return undefined;
    }),
  );
}

async function grantOfAccessToken(token: string) {
  const claims = await readAccessToken(token);
  const grant = claims && (await findGrant(claims.grantId));
  return grant && { grantId: grant.id, clientId: grant.clientId };
}

const POLICY = "token";

/**
 * Allows `RATE_LIMIT_AUTH` requests a minute for each client that has authenticated, whatever address it has. Everybody knows
 * the id of a public client, so its requests count per address. Requests without a valid client count for their address; a
 * client that authenticates is not affected by them.
 * The address is counted meanwhile, so that a request waits for at most one count.
 * @param answer calls `admit` once the client has authenticated; `admit` throws if the client has no request left
 */
async function limitClients(
  address: string,
  answer: (admit: (client: Application) => Promise<void>) => Promise<Response>,
): Promise<Response> {
  const limit = env.rateLimits.auth;
  const place = subnetOf(address);
  const ofAddress = countRequest(POLICY, `address ${place}`, limit);
  let ofClient: RateLimitState | undefined;
  const answered = await answer(async ({ clientId, isPublic }) => {
    ofClient = await countRequest(POLICY, `client ${clientId}${isPublic ? ` ${place}` : ""}`, limit);
    if (!ofClient.allowed) throw new OAuthError("slow_down", "Too many requests of this client");
  });
  const standing = ofClient ?? (await ofAddress);
  const response = standing.allowed ? answered : json(tooManyMessage(standing), { status: 429 });
  addHeaders(response, rateLimitHeaders(POLICY, standing));
  return response;
}
