import { schemaRef } from "./schemas";
import type { Header, OpenApiResponse, Parameter, Ref } from "./types";

/** Definitions shared by many operations: headers, parameters, and responses that belong to no single operation. */
export const sharedHeaders: { [name: string]: Header } = {
  RequestId: { description: "Identifies this request in our logs", schema: { type: "string", format: "uuid" } },
  RateLimit: {
    description: "The remaining requests of this minute (`r`), and the seconds until the next minute starts (`t`)",
    schema: { type: "string", pattern: '^"api";r=\\d+;t=\\d+$' },
  },
  RateLimitPolicy: {
    description: "The limit: `q` requests in `w` seconds",
    schema: { type: "string", pattern: '^"api";q=\\d+;w=60$' },
  },
  RetryAfter: { description: "Seconds to wait before the next attempt", schema: { type: "string", pattern: "^\\d+$" } },
  IdempotencyReplayed: {
    description: "`true` if this is the stored answer to an earlier identical request; otherwise absent",
    schema: { type: "string", enum: ["true"] },
  },
  ETag: {
    description: "Identifies this version for `If-Match`. It changes whenever anything in the answer changes",
    schema: { type: "string", pattern: '^"[\\w-]+"$' },
  },
  Allow: { description: "The methods of this path, separated by commas", schema: { type: "string" } },
  Challenge: {
    description: "Where to get a token (RFC 6750, RFC 9728)",
    schema: { type: "string" },
  },
};

export const sharedParameters: { [name: string]: Parameter } = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "The same request with the same key within 24 hours gets the first answer again",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  ConnectUserId: {
    name: "X-Connect-User-Id",
    in: "header",
    required: false,
    description:
      "Only with a partner's token: the `uuid` of the user that the call is for. Either this header or the next one is required",
    schema: { type: "string", format: "uuid" },
  },
  ConnectExternalUserId: {
    name: "X-Connect-External-User-Id",
    in: "header",
    required: false,
    description: "Only with a partner's token: the partner's own `externalUserId` of that user, in UTF-8",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

/** Responses for unknown paths and methods, which no operation can have. */
export const sharedResponses: { [name: string]: OpenApiResponse } = {
  RouteNotFound: {
    description: "The path does not exist",
    headers: { "x-request-id": headerRef("RequestId") },
    content: { "application/json": { schema: schemaRef("Error") } },
  },
  MethodNotAllowed: {
    description: "The path does not support this method",
    headers: { "x-request-id": headerRef("RequestId"), Allow: headerRef("Allow") },
    content: { "application/json": { schema: schemaRef("Error") } },
  },
};

export function headerRef(name: keyof typeof sharedHeaders): Ref {
  return { $ref: `#/components/headers/${name}` };
}

export function parameterRef(name: keyof typeof sharedParameters): Ref {
  return { $ref: `#/components/parameters/${name}` };
}
