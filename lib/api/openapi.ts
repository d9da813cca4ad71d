import { z } from "zod";
import { env } from "../env";
import type { Route } from "./route";

const ErrorView = z.object({ error: z.string() });

/** The OpenAPI 3.1 document, read off the routes' own declarations. */
export function openApiDocument(routes: Route[]) {
  const paths: { [path: string]: { [method: string]: unknown } } = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return {
    openapi: "3.1.0",
    info: { title: "Carillon", version: "1" },
    servers: [{ url: env.baseUrl }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    security: [{ bearer: [] }],
    paths,
  };
}

function operation(route: Route) {
  return {
    summary: route.summary,
    "x-scope": route.scope === "partner" ? "a partner's token" : `service-api/${route.scope}`,
    ...parametersOf(route),
    ...(route.body ? { requestBody: { content: content(route.body) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, answer]) => [status, response(answer)])),
      default: { description: "What is wrong", content: content(ErrorView) },
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same request within 24 hours gets the first answer again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function parametersOf(route: Route) {
  const honoured = route.method === "post" && route.idempotency !== "none";
  const all = [
    ...parameters(route.params, "path"),
    ...parameters(route.query, "query"),
    ...(honoured ? [idempotencyKey] : []),
  ];
  return all.length > 0 ? { parameters: all } : {};
}

function response(answer: z.ZodType | string) {
  return typeof answer === "string" ? { description: answer } : { description: "Answered", content: content(answer) };
}

function content(schema: z.ZodType) {
  return { "application/json": { schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) } };
}

function parameters(schema: z.ZodType | undefined, place: "path" | "query") {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: shape,
  }));
}
