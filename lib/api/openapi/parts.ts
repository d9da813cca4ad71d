import { schemaRef } from "./schemas";
import type { Header, OpenApiResponse, Parameter, Ref } from "./types";

/** What many operations share: headers of requests and answers, and answers that belong to no single operation. */
export const sharedHeaders: { [name: string]: Header } = {
  RequestId: { description: "Names this request in our logs", schema: { type: "string", format: "uuid" } },
  RateLimit: {
    description: "What is left of this minute: `r` requests, `t` seconds until the next one begins",
    schema: { type: "string", pattern: '^"api";r=\\d+;t=\\d+$' },
  },
  RateLimitPolicy: {
    description: "How many requests (`q`) in how many seconds (`w`)",
    schema: { type: "string", pattern: '^"api";q=\\d+;w=60$' },
  },
  RetryAfter: { description: "Seconds to wait before the next try", schema: { type: "string", pattern: "^\\d+$" } },
  IdempotencyReplayed: {
    description: "`true` where this is the answer that the same request had before; absent otherwise",
    schema: { type: "string", enum: ["true"] },
  },
  ETag: {
    description: "Names this version of it, for `If-Match`; another whenever anything that the answer says is",
    schema: { type: "string", pattern: '^"[\\w-]+"$' },
  },
  Allow: { description: "The methods that this path has, comma between", schema: { type: "string" } },
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
    description: "The same request within 24 hours gets the first answer again",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  ConnectUserId: {
    name: "X-Connect-User-Id",
    in: "header",
    required: false,
    description:
      "With a partner's token only: the `uuid` of the user whom the call is for. This or the next one is needed",
    schema: { type: "string", format: "uuid" },
  },
  ConnectExternalUserId: {
    name: "X-Connect-External-User-Id",
    in: "header",
    required: false,
    description: "With a partner's token only: the partner's own `externalUserId` of that user, in UTF-8",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

/** Refusals of paths and methods that there are not, which no operation can have. */
export const sharedResponses: { [name: string]: OpenApiResponse } = {
  RouteNotFound: {
    description: "There is no such path",
    headers: { "x-request-id": headerRef("RequestId") },
    content: { "application/json": { schema: schemaRef("Error") } },
  },
  MethodNotAllowed: {
    description: "The path exists, but not with this method",
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
