import { env } from "../../env";
import { OBJECT, OWNER, STORAGE_KEY as UPLOAD } from "../routes/examples";
import { tooMany } from "./operation";
import { header } from "./parts";
import { type PublicOperation, requestId } from "./public";
import * as shapes from "./public-shapes";
import { refTo } from "./schemas";
import type { Answer } from "./types";

/** A refusal of the embedded store, in the words of the API. */
function storeRefusal(description: string, error: string): Answer {
  const content = { "application/json": { schema: refTo("Error"), examples: { refused: { value: { error } } } } };
  return { description, headers: requestId, content };
}

function refusal(description: string, ...values: object[]): Answer {
  const examples = Object.fromEntries(values.map((value, index) => [`case-${index + 1}`, { value }]));
  return {
    description,
    headers: requestId,
    content: { "application/json": { schema: refTo("OAuthError"), examples } },
  };
}

const oauthRefusals = {
  400: refusal(
    "The request is wrong: `invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client` or `unsupported_grant_type`",
    { error: "invalid_grant", error_description: "The code is wrong, was used already or has expired" },
    { error: "invalid_request", error_description: "grant_type is missing" },
  ),
  401: refusal("The client is unknown or its secret is wrong", {
    error: "invalid_client",
    error_description: "The client id or secret is wrong",
  }),
  429: {
    description: "Too many requests of this address, or too many wrong secrets",
    headers: { ...requestId, "Retry-After": header("RetryAfter") },
    content: {
      "application/json": {
        schema: { anyOf: [refTo("GatewayError"), refTo("OAuthError")] },
        examples: {
          secrets: { value: { error: "slow_down", error_description: "Too many wrong secrets; try again later" } },
        },
      },
    },
  },
  500: refusal("Something is wrong on our side", {
    error: "server_error",
    error_description: "Something went wrong on our side",
  }),
};

const unwell: Answer = {
  description: "Something is wrong on our side; try again later",
  headers: requestId,
  content: {
    "application/json": {
      schema: refTo("Error"),
      examples: { unwell: { value: { error: "The service is not ready; try again in a moment" } } },
    },
  },
};

const REDIRECT = "https://acme.example/callback";
const TOKEN = "eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl";
const CLIENT = { client_id: "app_4f9d1c0e", client_secret: "cs_9b1f7a52c6" };
const PARTNER = { client_id: "partner_7d1e02aa", client_secret: "cs_1c44be90d7" };
const ISSUED = { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" };

/** What is answered beside the routes. A test holds this list against what the app answers. */
export function publicList(): PublicOperation[] {
  return [
    {
      operationId: "createToken",
      method: "post",
      path: "/oauth/token",
      summary: "Issues an access token",
      description:
        "Takes JSON or a form. A client authenticates in the body, as shown, or by HTTP Basic. An application's refresh token works once and brings the next one; a second use ends the consent. A partner keeps its token until shortly before it expires and uses it for all of its users.",
      body: shapes.TokenRequest,
      answers: { 200: shapes.TokenView },
      refusals: oauthRefusals,
      examples: [
        {
          title: "A code",
          body: { grant_type: "authorization_code", ...CLIENT, code: "a2V5IG9mIHRoZSBjb2Rl", redirect_uri: REDIRECT },
          answer: {
            ...ISSUED,
            refresh_token: "cmVmcmVzaCB0b2tlbg",
            scope: "service-api/accounts.read service-api/posts.write",
          },
        },
        {
          title: "A refresh token",
          body: { grant_type: "refresh_token", ...CLIENT, refresh_token: "cmVmcmVzaCB0b2tlbg" },
        },
        {
          title: "A partner",
          body: { grant_type: "client_credentials", ...PARTNER, audience: env.baseUrl },
          answer: { ...ISSUED, scope: "service-api/api" },
        },
      ],
    },
    {
      operationId: "revokeToken",
      method: "post",
      path: "/oauth/revoke",
      summary: "Ends a consent",
      description:
        "Ends the grant of an access or refresh token, and with it every token of that consent (RFC 7009). What is no token, or no longer one, is answered in the same way.",
      body: shapes.RevocationRequest,
      answers: { 200: "Revoked" },
      refusals: oauthRefusals,
      examples: [{ body: { ...CLIENT, token: "cmVmcmVzaCB0b2tlbg" } }],
    },
    {
      operationId: "getServerMetadata",
      method: "get",
      path: "/.well-known/oauth-authorization-server",
      summary: "The authorization server",
      description: "Where its endpoints are and what it can do (RFC 8414): OAuth libraries need nothing but this.",
      answers: { 200: shapes.ServerMetadata },
      refusals: { 500: unwell },
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
      summary: "The API as a protected resource",
      description: "Which authorization server gives tokens for this API (RFC 9728). Its address stands in every 401.",
      answers: { 200: shapes.ResourceMetadata },
      refusals: { 500: unwell },
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
      operationId: "getSigningKeys",
      method: "get",
      path: "/.well-known/jwks.json",
      summary: "The keys that sign access tokens",
      description: "Public keys (RFC 7517). After a rotation the old one stays until its last token has expired.",
      answers: { 200: shapes.KeySet },
      refusals: { 500: unwell, 503: unwell },
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
      summary: "This document",
      description: "The API as OpenAPI 3.1, for code generators and tests.",
      answers: { 200: shapes.OpenApiView },
      refusals: { 429: tooMany, 500: unwell },
      examples: [{ answer: { openapi: "3.1.1", info: { title: "Carillon", version: "1" }, paths: {} } }],
    },
    {
      operationId: "getMediaFile",
      method: "get",
      path: "/media/{id}",
      summary: "The bytes of a file",
      description:
        "The `url` of a media answer: signed and good for a limited time, for browsers and for the networks that fetch media themselves. Ranges are answered with 206.",
      params: shapes.MediaFileParams,
      query: shapes.MediaFileQuery,
      contentType: "*/*",
      answers: { 200: shapes.Bytes, 206: shapes.Bytes, 416: "The range lies outside of the file" },
      refusals: {
        404: {
          description: "The file is gone, or the address is wrong or has ended",
          headers: requestId,
          content: {
            "application/json": {
              schema: refTo("Error"),
              examples: { gone: { value: { error: "Media not found: 0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" } } },
            },
          },
        },
        500: unwell,
        503: unwell,
      },
      examples: [
        {
          params: { id: "0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" },
          query: { e: "1924992000", n: "gE9Yz1qPq7aR", k: "4f2a9c", s: "c2lnbmF0dXJl" },
        },
      ],
    },
    {
      operationId: "getMediaThumbnail",
      method: "get",
      path: "/media/{id}/thumbnail",
      summary: "A small picture of a file",
      description: "The `thumbnailUrl` of a media answer: WebP, signed and good for a limited time.",
      params: shapes.MediaFileParams,
      query: shapes.MediaFileQuery,
      contentType: "*/*",
      answers: { 200: shapes.Bytes, 206: shapes.Bytes, 416: "The range lies outside of the file" },
      refusals: {
        404: {
          description: "The file is gone, or the address is wrong or has ended",
          headers: requestId,
          content: {
            "application/json": {
              schema: refTo("Error"),
              examples: { gone: { value: { error: "Media not found: 0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" } } },
            },
          },
        },
        500: unwell,
        503: unwell,
      },
      examples: [
        {
          params: { id: "0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10" },
          query: { e: "1924992000", n: "gE9Yz1qPq7aR", k: "4f2a9c", s: "c2lnbmF0dXJl" },
        },
      ],
    },
    {
      operationId: "putUpload",
      method: "put",
      path: "/media/uploads/{owner}/{name}",
      summary: "Puts the bytes of a granted upload",
      description:
        "The `url` of an upload grant where files are kept by this service itself (with S3 it is the bucket's). Method, headers and length have to be exactly those of the grant.",
      params: shapes.UploadParams,
      query: shapes.UploadQuery,
      answers: { 200: "Stored; confirm it next" },
      refusals: {
        400: storeRefusal("The bytes did not all arrive", "file cannot be read: the connection was cut"),
        403: storeRefusal(
          "It is not exactly what was granted, or too late",
          "This grant has expired; ask for another one",
        ),
        404: storeRefusal("The owner of the grant is gone", `Upload not found: ${UPLOAD}`),
        411: storeRefusal("The length is not said beforehand", "Content-Length is missing"),
        500: unwell,
        503: unwell,
      },
      examples: [
        {
          params: { owner: OWNER, name: OBJECT },
          query: { e: "1924992000", k: "4f2a9c", s: "c2lnbmF0dXJl" },
        },
      ],
    },
  ];
}
