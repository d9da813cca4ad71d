import { z } from "zod";
import { env } from "../../env";

/**
 * The bodies of the token and revocation endpoints. Those endpoints parse parameters as RFC 6749 requires, so these shapes
 * only describe them.
 */
const client = {
  client_id: z.string().optional().meta({ description: "Omitted with HTTP Basic" }),
  client_secret: z.string().optional().meta({ description: "Omitted with HTTP Basic, and by public clients" }),
};
const audience = z.literal(env.baseUrl).optional().meta({ description: "The only audience is this API" });
const resource = z.literal(env.baseUrl).optional().meta({ description: "The same under its name in RFC 8707" });
const scope = z.string().optional().meta({ description: "Scopes separated by spaces" });

const CodeGrant = z
  .object({
    grant_type: z.literal("authorization_code"),
    ...client,
    code: z.string().meta({ description: "The code from the redirect. It works once, for a minute" }),
    redirect_uri: z.string().meta({ description: "The same as at /authorize" }),
    code_verifier: z.string().optional().meta({ description: "PKCE (S256). Required if a challenge was sent" }),
    audience,
    resource,
    scope,
  })
  .meta({ id: "CodeGrant" });

const RefreshGrant = z
  .object({
    grant_type: z.literal("refresh_token"),
    ...client,
    refresh_token: z.string(),
    scope: z.string().optional().meta({ description: "Fewer scopes than granted, separated by spaces" }),
    audience,
    resource,
  })
  .meta({ id: "RefreshGrant" });

const PartnerGrant = z
  .object({ grant_type: z.literal("client_credentials"), ...client, audience, resource, scope })
  .meta({ id: "PartnerGrant" });

export const TokenRequest = z.union([CodeGrant, RefreshGrant, PartnerGrant]);

export const TokenView = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int().meta({ description: "Seconds" }),
    refresh_token: z.string().optional().meta({ description: "For applications. It works once, within 90 days" }),
    scope: z.string().meta({ description: "The scopes of the token, separated by spaces" }),
  })
  .meta({ id: "Token" });

export const RevocationRequest = z.object({
  ...client,
  token: z.string().meta({ description: "An access or refresh token" }),
  token_type_hint: z.string().optional(),
});

export const OAuthErrorView = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: "OAuthError", description: "Why a token was refused, with the codes of RFC 6749" });

export const ServerMetadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

export const ResourceMetadata = z.object({
  resource: z.url(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

export const KeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      y: z.string().optional(),
      kid: z.string(),
      alg: z.string(),
      use: z.literal("sig"),
    }),
  ),
});

export const OpenApiView = z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) });

export const MediaFileParams = z.object({ id: z.uuid() });

export const MediaFileQuery = z.object({
  e: z.string().meta({ description: "When the address expires, in seconds since 1970" }),
  n: z.string().meta({ description: "Makes each address unique" }),
  k: z.string().meta({ description: "The ID of the signing key" }),
  s: z.string().meta({ description: "The signature" }),
});

export const DownloadQuery = MediaFileQuery.extend({
  download: z.string().optional().meta({ description: "If present, browsers save the file under its name" }),
});

export const UploadParams = z.object({ owner: z.uuid(), name: z.string() });

export const UploadQuery = z.object({
  e: z.string().meta({ description: "When the grant expires, in seconds since 1970" }),
  k: z.string().meta({ description: "The ID of the signing key" }),
  s: z.string().meta({ description: "The signature" }),
});

export const Bytes = z.file();
