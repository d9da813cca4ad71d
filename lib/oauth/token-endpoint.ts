import {
  AuthorizationServer,
  DateInterval,
  isOAuthError,
  type JwtInterface,
  type OAuthClient,
  type OAuthException,
  OAuthRequest,
} from "@jmondi/oauth2-server";
import { env } from "../env";
import { log } from "../log";
import { once } from "../once";
import { randomToken } from "../secrets";
import { findApplication, isSecretOf } from "./applications";
import { fromWire, toWire } from "./scopes";
import { ACCESS_TOKEN_SECONDS, signAccessToken } from "./tokens";

/** A refusal of the token endpoint, in the words of RFC 6749, section 5.2. */
class OAuthError extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
    readonly status: 400 | 401 | 403 = 400,
  ) {
    super(description);
  }
}

/** The same for an unknown client and for a wrong secret: which clients exist is nobody's business. */
const WRONG_CLIENT = "The client id or secret is wrong";

/** Only jose signs; the library's own verification of refresh tokens has no use here. */
const jwt: JwtInterface = {
  async sign(payload) {
    const { cid: _, nbf: __, ...claims } = payload as { [claim: string]: unknown };
    return signAccessToken({ ...claims, sub: claims.sub ?? claims.client_id });
  },
  extraTokenFields: ({ client }) => ({ aud: env.baseUrl, client_id: client.id, gid: client.grantId as string }),
  verify: async () => Promise.reject(new OAuthError("invalid_grant", "This token cannot be used here")),
  decode: () => null,
};

const server = once("oauth.server", () => {
  const made = new AuthorizationServer(
    {
      async getByIdentifier(clientId) {
        const found = await findApplication(clientId);
        if (!found) throw new OAuthError("invalid_client", WRONG_CLIENT, 401);
        if (found.suspendedAt) throw new OAuthError("invalid_client", "This client is suspended", 401);
        return {
          id: found.clientId,
          name: found.name,
          redirectUris: found.redirectUris,
          allowedGrants: [found.grant],
          scopes: [],
          secret: "kept as a hash", // marks the client as confidential
          grantId: found.grantId,
        };
      },
      async isClientValid(grant, client, secret) {
        return client.allowedGrants.includes(grant) && Boolean(secret) && isSecretOf(client.id, secret ?? "");
      },
    },
    {
      issueToken: async (client: OAuthClient, scopes) => ({
        accessToken: randomToken(16),
        accessTokenExpiresAt: new Date(Date.now() + ACCESS_TOKEN_SECONDS * 1000),
        client,
        scopes,
      }),
      persist: async () => {}, // the grant is the row; a token only points at it
      issueRefreshToken: async (token) => token,
      revoke: async () => {},
      isRefreshTokenRevoked: async () => true,
      getByRefreshToken: async () => Promise.reject(new OAuthError("invalid_grant", "The refresh token is not valid")),
    },
    {
      getAllByIdentifiers: async (names) => names.map((name) => ({ name })),
      // A partner's credential holds every scope, whatever is asked for.
      finalize: async () =>
        toWire(["api"])
          .split(" ")
          .map((name) => ({ name })),
    },
    jwt,
    { issuer: env.authUrl, requiresPKCE: false, requiresS256: true },
  );
  made.enableGrantType("client_credentials", new DateInterval(`${ACCESS_TOKEN_SECONDS}s`));
  return made;
});

/**
 * `POST /oauth/token` (RFC 6749, section 3.2): JSON, as SPEC shows it, or form-encoded; client credentials in the body or by
 * HTTP Basic. Every refusal has the shape of section 5.2.
 */
export async function answerTokenRequest(request: Request): Promise<Response> {
  try {
    const body = await readBody(request);
    if (body.grant_type === "authorization_code" || body.grant_type === "refresh_token") {
      throw new OAuthError("unsupported_grant_type", `The grant ${body.grant_type} is not available yet`);
    }
    if (body.audience !== undefined && body.audience !== env.baseUrl) {
      throw new OAuthError("invalid_target", `The only audience is ${env.baseUrl}`);
    }
    if (body.scope !== undefined && !fromWire(body.scope))
      throw new OAuthError("invalid_scope", "A scope does not exist");
    const answer = await server.respondToAccessTokenRequest(
      new OAuthRequest({ body, query: {}, headers: Object.fromEntries(request.headers) }),
    );
    return respond(answer.status, answer.body);
  } catch (error) {
    return refuse(error);
  }
}

async function readBody(request: Request): Promise<{ [name: string]: string }> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = await request.text();
  if (text.length > 65_536) throw new OAuthError("invalid_request", "The request is too large");
  if (type === "application/x-www-form-urlencoded") {
    const form = new URLSearchParams(text);
    if (new Set(form.keys()).size < form.size) throw new OAuthError("invalid_request", "A parameter is given twice");
    return Object.fromEntries(form);
  }
  if (type !== "application/json") throw new OAuthError("invalid_request", "Send JSON or a form");
  const parsed = await Promise.resolve(text)
    .then(JSON.parse)
    .catch(() => undefined);
  const isFlat =
    typeof parsed === "object" && parsed !== null && Object.values(parsed).every((v) => typeof v === "string");
  if (!isFlat) throw new OAuthError("invalid_request", "The body is not a JSON object of strings");
  return parsed;
}

function refuse(error: unknown): Response {
  if (error instanceof OAuthError) {
    return respond(error.status, { error: error.code, error_description: error.description });
  }
  if (isOAuthError(error)) {
    const known = error as OAuthException;
    const why = known.errorType === "invalid_client" ? WRONG_CLIENT : (known.errorDescription ?? known.message);
    return respond(known.status, { error: known.errorType, error_description: why });
  }
  log.error({ error }, "the token endpoint failed");
  return respond(500, { error: "server_error", error_description: "Something went wrong on our side" });
}

function respond(status: number, body: unknown): Response {
  const headers = new Headers({ "cache-control": "no-store", pragma: "no-cache" });
  if (status === 401) headers.set("www-authenticate", 'Basic realm="carillon"');
  return Response.json(body, { status, headers });
}
