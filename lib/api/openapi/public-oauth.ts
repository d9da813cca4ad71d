import { env } from "../../env";
import { headerRef } from "./parts";
import { type PublicOperation, requestIdHeader } from "./public";
import * as shapes from "./public-shapes";
import { schemaRef } from "./schemas";
import type { OpenApiResponse } from "./types";

function oauthError(description: string, ...values: object[]): OpenApiResponse {
  const examples = Object.fromEntries(values.map((value, index) => [`case-${index + 1}`, { value }]));
  return {
    description,
    headers: requestIdHeader,
    content: { "application/json": { schema: schemaRef("OAuthError"), examples } },
  };
}

const oauthErrors = {
  400: oauthError(
    "The request is invalid: `invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client` or `unsupported_grant_type`",
    { error: "invalid_grant", error_description: "The code is wrong, was used already or has expired" },
    { error: "invalid_request", error_description: "grant_type is missing" },
  ),
  401: oauthError("The client is unknown or its secret is wrong", {
    error: "invalid_client",
    error_description: "The client id or secret is wrong",
  }),
  429: {
    description: "Too many requests from this address, or too many wrong secrets",
    headers: { ...requestIdHeader, "Retry-After": headerRef("RetryAfter") },
    content: {
      "application/json": {
        schema: { anyOf: [schemaRef("GatewayError"), schemaRef("OAuthError")] },
        examples: {
          secrets: { value: { error: "slow_down", error_description: "Too many wrong secrets; try again later" } },
        },
      },
    },
  },
  500: oauthError("An error on our side", {
    error: "server_error",
    error_description: "Something went wrong on our side",
  }),
  503: {
    ...oauthError("The service is temporarily unavailable; try again later", {
      error: "temporarily_unavailable",
      error_description: "The service is not ready; try again in a moment",
    }),
    headers: { ...requestIdHeader, "Retry-After": headerRef("RetryAfter") },
  },
};

const REDIRECT = "https://acme.example/callback";
const TOKEN = "eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl";
const CLIENT = { client_id: "app_4f9d1c0e", client_secret: "cs_9b1f7a52c6" };
const PARTNER = { client_id: "partner_7d1e02aa", client_secret: "cs_1c44be90d7" };
const ISSUED = { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" };

/** The token and revocation endpoints. */
export const oauthOperations = (): PublicOperation[] => [
  {
    operationId: "createToken",
    method: "post",
    path: "/oauth/token",
    summary: "Issue an access token",
    description:
      "Takes JSON or a form. A client authenticates in the body, as shown, or with HTTP Basic. An application's refresh token works once and returns the next one; a second use ends the consent. A partner keeps its token until shortly before it expires and uses it for all of its users.",
    body: shapes.TokenRequest,
    answers: { 200: shapes.TokenView },
    errorResponses: oauthErrors,
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
    summary: "Revoke a token and its consent",
    description:
      "Ends the grant of an access or refresh token with all tokens of that consent (RFC 7009). An unknown token gets the same answer.",
    body: shapes.RevocationRequest,
    answers: { 200: "Revoked" },
    errorResponses: oauthErrors,
    examples: [{ body: { ...CLIENT, token: "cmVmcmVzaCB0b2tlbg" } }],
  },
];
