import type { z } from "zod";
import type { Example } from "../route";
import { nounOf } from "./descriptions";
import { examplesOf, parametersFrom } from "./operation";
import { headerRef } from "./parts";
import { OAuthErrorView } from "./public-shapes";
import { type Schemas, schemaRef } from "./schemas";
import type { OpenApiOperation, OpenApiResponse } from "./types";

/** An endpoint outside of the routes, without an access token. */
export type PublicOperation = {
  operationId: string;
  method: "get" | "post" | "put";
  path: string;
  summary: string;
  description: string;
  /** As JSON or as a form, which OAuth clients send. */
  body?: z.ZodType;
  params?: z.ZodType;
  query?: z.ZodType;
  answers: { [status: number]: z.ZodType | string };
  /** The type of answers other than JSON. */
  contentType?: string;
  errorResponses: { [status: number]: OpenApiResponse };
  examples: [Example, ...Example[]];
};

/** Converts these endpoints to operations with their paths. */
export function publicOperations(
  list: PublicOperation[],
  schemas: Schemas,
): { path: string; method: string; operation: OpenApiOperation }[] {
  schemas.of(OAuthErrorView, "output");
  return list.map((one) => ({ path: one.path, method: one.method, operation: operationOf(one, schemas) }));
}

/** The header of every answer. */
export const requestIdHeader = { "x-request-id": headerRef("RequestId") };

export const serverErrorResponse: OpenApiResponse = {
  description: "An error on our side; try again later",
  headers: requestIdHeader,
  content: {
    "application/json": {
      schema: schemaRef("Error"),
      examples: { unwell: { value: { error: "The service is not ready; try again in a moment" } } },
    },
  },
};

/** The same with the time to wait: the database or the store does not answer. */
export const unavailableResponse: OpenApiResponse = {
  ...serverErrorResponse,
  headers: { ...requestIdHeader, "Retry-After": headerRef("RetryAfter") },
};

function operationOf(one: PublicOperation, schemas: Schemas): OpenApiOperation {
  const { operationId, path, summary, description, examples, body } = one;
  const [{ params, query }] = examples;
  const parameters = [
    ...parametersFrom(one.params, "path", params, schemas),
    ...parametersFrom(one.query, "query", query, schemas),
  ];
  const asked = body && { schema: schemas.of(body, "input"), examples: examplesOf(examples, "body") };
  const content = asked && { "application/json": asked, "application/x-www-form-urlencoded": asked };
  return {
    operationId,
    tags: [nounOf(path).tag],
    summary,
    description,
    security: [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: { ...successResponses(one, schemas), ...one.errorResponses },
  };
}

function successResponses({ answers, contentType = "application/json", examples }: PublicOperation, schemas: Schemas) {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]): [string, OpenApiResponse] => {
      if (typeof answer === "string") return [status, { description: answer, headers: requestIdHeader }];
      const schema = schemas.of(answer, "output");
      const content = { [contentType]: { schema, examples: examplesOf(examples, "answer") } };
      return [status, { description: "Done", headers: requestIdHeader, content }];
    }),
  );
}
