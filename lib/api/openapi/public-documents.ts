import { env } from "../../env";
import { rateLimitedResponse } from "./operation";
import { type PublicOperation, serverErrorResponse, unavailableResponse } from "./public";
import * as shapes from "./public-shapes";

/** The metadata documents. */
export const documentOperations = (): PublicOperation[] => [
  {
    operationId: "getServerMetadata",
    method: "get",
    path: "/.well-known/oauth-authorization-server",
    summary: "Get the metadata of the authorization server",
    description: "Its endpoints and capabilities (RFC 8414), which is all that an OAuth library needs.",
    answers: { 200: shapes.ServerMetadata },
    errorResponses: { 500: serverErrorResponse },
    examples: [
      {
        answer: {
          issuer: env.authUrl,
          authorization_endpoint: `${env.authUrl}/authorize`,
          token_endpoint: `${env.authUrl}/oauth/token`,
          revocation_endpoint: `${env.authUrl}/oauth/revoke`,
          jwks_uri: `${env.authUrl}/.well-known/jwks.json`,
          scopes_supported: ["service-api/accounts.read", "service-api/api"],
          response_types_supported: ["code"],
          response_modes_supported: ["query"],
          grant_types_supported: ["authorization_code", "client_credentials", "refresh_token"],
          token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
          revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true,
        },
      },
    ],
  },
  {
    operationId: "getResourceMetadata",
    method: "get",
    path: "/.well-known/oauth-protected-resource",
    summary: "Get the metadata of the API as a protected resource",
    description: "The authorization server of this API (RFC 9728). Every 401 contains the address of this document.",
    answers: { 200: shapes.ResourceMetadata },
    errorResponses: { 500: serverErrorResponse },
    examples: [
      {
        answer: {
          resource: env.baseUrl,
          authorization_servers: [env.authUrl],
          scopes_supported: ["service-api/accounts.read", "service-api/api"],
          bearer_methods_supported: ["header"],
          resource_name: "Carillon",
        },
      },
    ],
  },
  {
    operationId: "getMcpMetadata",
    method: "get",
    path: "/.well-known/oauth-protected-resource/mcp",
    summary: "Get the metadata of /mcp as a protected resource",
    description:
      "For agents (RFC 9728): the authorization server of `/mcp` and the scope that they need. Every 401 of `/mcp` contains the address of this document.",
    answers: { 200: shapes.ResourceMetadata },
    errorResponses: { 500: serverErrorResponse },
    examples: [
      {
        answer: {
          resource: `${env.baseUrl}/mcp`,
          authorization_servers: [env.authUrl],
          scopes_supported: ["service-api/posts.propose"],
          bearer_methods_supported: ["header"],
          resource_name: "Carillon",
        },
      },
    ],
  },
  {
    operationId: "getSigningKeys",
    method: "get",
    path: "/.well-known/jwks.json",
    summary: "Get the keys that sign access tokens",
    description: "Public keys (RFC 7517). After a rotation, the old key stays until its last token has expired.",
    answers: { 200: shapes.KeySet },
    errorResponses: { 500: serverErrorResponse, 503: unavailableResponse },
    examples: [
      {
        answer: {
          keys: [
            {
              kty: "EC",
              crv: "P-256",
              x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
              y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
              kid: "1",
              alg: "ES256",
              use: "sig",
            },
          ],
        },
      },
    ],
  },
  {
    operationId: "getOpenApi",
    method: "get",
    path: "/v1/openapi.json",
    summary: "Get this document",
    description: "The API as OpenAPI 3.1, for code generators and tests.",
    answers: { 200: shapes.OpenApiView },
    errorResponses: { 429: rateLimitedResponse, 500: serverErrorResponse },
    examples: [{ answer: { openapi: "3.1.1", info: { title: "Carillon", version: "1" }, paths: {} } }],
  },
];
