import type { z } from "zod";
import type { Example, NamedRoute, Route } from "../route";
import { nounOf } from "./descriptions";
import { errorResponsesOf, takesIdempotencyKey } from "./error-responses";
import { headerRef, parameterRef } from "./parts";
import { type Schemas, schemaRef } from "./schemas";
import { securityOf } from "./security";
import type {
  Examples,
  OpenApiContent,
  OpenApiOperation,
  OpenApiResponse,
  OpenApiSchema,
  Parameter,
  Ref,
} from "./types";

const DONE: { [status: string]: string } = { 200: "Done", 201: "Created", 202: "Begun", 204: "Done" };

/** Converts a route to an operation of the document. */
export function operationOf(route: NamedRoute, schemas: Schemas): OpenApiOperation {
  const { summary, description = summary, path } = route;
  const parameters = parametersOf(route, schemas);
  const content = contentOf(route, schemas);
  return {
    operationId: route.operationId,
    tags: [nounOf(path).tag],
    summary,
    description,
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: !route.isBodyOptional, content } } : {}),
    responses: {
      ...successResponses(route, schemas, takesIdempotencyKey(route)),
      ...errorResponses(route),
      429: rateLimitedResponse,
    },
    ...(route.publishes ? { "x-publishes": true } : {}),
  };
}

function parametersOf(route: Route, schemas: Schemas): (Parameter | Ref)[] {
  const [first] = route.examples;
  const isForUser = route.scope !== "partner" || route.forUser;
  return [
    ...parametersFrom(route.params, "path", first.params, schemas),
    ...parametersFrom(route.query, "query", first.query, schemas),
    ...parametersFrom(route.headers, "header", first.headers, schemas),
    ...(isForUser ? [parameterRef("ConnectUserId"), parameterRef("ConnectExternalUserId")] : []),
    ...(takesIdempotencyKey(route) ? [parameterRef("IdempotencyKey")] : []),
  ];
}

/** Converts the fields of a schema to parameters. */
export function parametersFrom(
  shape: z.ZodType | undefined,
  place: Parameter["in"],
  examples: { [name: string]: string } | undefined,
  schemas: Schemas,
): Parameter[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = schemas.of(shape, "input");
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
    ...(examples?.[name] === undefined ? {} : { example: exampleOf(schema, examples[name]) }),
  }));
}

/** A number in a URL is text. As an example it has the type of its schema. */
function exampleOf({ type }: OpenApiSchema, text: string): string | number {
  return type === "integer" ? Number(text) : text;
}

function contentOf({ body, bodies, multipart, csv, examples }: Route, schemas: Schemas): OpenApiContent | undefined {
  const of = (schema: OpenApiSchema): { schema: OpenApiSchema; examples: Examples } => ({
    schema,
    examples: examplesOf(examples, "body"),
  });
  if (multipart) return { "multipart/form-data": of(schemas.of(multipart, "input")) };
  if (csv) return { "text/csv": of(schemas.of(csv, "input")) };
  if (bodies) return { "application/json": of({ anyOf: bodies.map((shape) => schemas.of(shape, "input")) }) };
  return body && { "application/json": of(schemas.of(body, "input")) };
}

export function examplesOf(examples: Example[], side: "body" | "answer"): Examples {
  const given = examples.filter((example) => example[side] !== undefined);
  return Object.fromEntries(
    given.map(({ title, ...example }, index) => [
      title?.toLowerCase().replace(/\W+/g, "-") ?? (index === 0 ? "usual" : `usual-${index + 1}`),
      { ...(title ? { summary: title } : {}), value: example[side] },
    ]),
  );
}

const rateLimitHeaders = {
  "x-request-id": headerRef("RequestId"),
  RateLimit: headerRef("RateLimit"),
  "RateLimit-Policy": headerRef("RateLimitPolicy"),
};

function successResponses(
  { answers, answerType = "application/json", examples, hasEtag }: Route,
  schemas: Schemas,
  honoured: boolean,
): { [status: string]: OpenApiResponse } {
  const headers = {
    ...rateLimitHeaders,
    ...(hasEtag ? { ETag: headerRef("ETag") } : {}),
    ...(honoured ? { "Idempotency-Replayed": headerRef("IdempotencyReplayed") } : {}),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      if (typeof answer === "string") return [status, { description: answer, headers }];
      const schema = schemas.of(answer, "output");
      const own = examples.filter((example) => example.status === undefined || example.status === Number(status));
      const content = { [answerType]: { schema, examples: examplesOf(own, "answer") } };
      return [status, { description: DONE[status] ?? "Done", headers, content }];
    }),
  );
}

function errorResponses(route: Route): { [status: string]: OpenApiResponse } {
  const errors = errorResponsesOf(route);
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const all = errors.filter((error) => error.status === status);
      const examples = all.map(({ when, error }, index) => [`case-${index + 1}`, { summary: when, value: { error } }]);
      const headers = {
        ...rateLimitHeaders,
        ...(status === 401 ? { "WWW-Authenticate": headerRef("Challenge") } : {}),
        ...(status === 503 || status === 507 ? { "Retry-After": headerRef("RetryAfter") } : {}),
      };
      const content = { "application/json": { schema: schemaRef("Error"), examples: Object.fromEntries(examples) } };
      return [status, { description: all.map(({ when }) => when).join(". "), headers, content }];
    }),
  );
}

/** An answer of the gateway, with `message` instead of `error`. */
export const rateLimitedResponse: OpenApiResponse = {
  description: "Too many requests; wait for the seconds in `Retry-After`",
  headers: { ...rateLimitHeaders, "Retry-After": headerRef("RetryAfter") },
  content: {
    "application/json": {
      schema: schemaRef("GatewayError"),
      examples: {
        limit: { value: { message: "Too many requests: at most 600 a minute. Try again in 12 s" } },
      },
    },
  },
};
