import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { nobody, readResponse } from "../../testing";
import { misfits } from "../../testing/contract";
import { openApiDocument } from "..";
import { api, routes } from "../app";
import type { OpenApiContent, OpenApiOperation } from "./types";

const document = openApiDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, name: `${method} ${path}` })),
);

test("is served at /v1/openapi.json and valid against the official OpenAPI 3.1 schema", async () => {
  const [status, answered] = await readResponse(nobody.get("/v1/openapi.json"));
  expect([status, answered]).toEqual([200, JSON.parse(JSON.stringify(document))]);
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect([valid, errors]).toEqual([true, undefined]);
});

// Network callbacks, their status page, the dashboard's stream and MCP, which has a protocol of its own, are not part of the API.
test("lists exactly the paths that the app answers", () => {
  const answered = api.routes
    .filter(({ method, path }) => method !== "ALL" && !/^\/(callbacks\/|live$|mcp$)/.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(operations.map(({ name }) => name).sort()).toEqual([...new Set(answered)].sort());
});

test("every reference resolves, and every component is used or belongs to no operation", () => {
  const text = JSON.stringify(document);
  const named = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`);
  const made = Object.entries(document.components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  expect([...new Set(named), "responses/RouteNotFound", "responses/MethodNotAllowed"].sort()).toEqual(made.sort());
});

test("operation IDs are unique, and every operation has a summary and a tag", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const { operation } of operations) {
    expect(tags).toContain(operation.tags[0]);
    expect(operation.summary).toMatch(/^\S.{4,}[^.]$/);
  }
});

/** Every summary and description with its place, without code. */
function proseOf(value: unknown, at = ""): [at: string, text: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]): [string, string][] => {
    const isProse = typeof one === "string" && (name === "summary" || name === "description");
    return isProse ? [[`${at}.${name}`, one.replace(/```[\s\S]*?```|`[^`]*`/g, "")]] : proseOf(one, `${at}.${name}`);
  });
}

// The names of fields, shapes and events are older than the words of the pages. The description of “Posts” explains them once.
test("summaries and descriptions call a post a post, and an account's times posting times", () => {
  const prose = proseOf(document);
  expect(prose.length).toBeGreaterThan(500);
  const wrong = prose.filter(
    ([at, text]) =>
      at !== ".tags.4.description" &&
      /\b(publications?|queues?|slots?)\b|(?<!publishes and )\bschedules\b|\b(an?|the|one|this) schedule\b/i.test(text),
  );
  expect(wrong).toEqual([]);
  expect(document.tags[4]?.description).toContain("posting schedule with one `publication` per account");
});

describe("what a route's declaration implies", () => {
  test.each(routes)("$method $path", ({ path, method, scope, params, body, query, forUser, answers }) => {
    const operation = document.paths[path]?.[method] as OpenApiOperation;
    const statuses = Object.keys(operation.responses);
    const isForUser = scope !== "partner" || forUser;
    const implied = [
      ...Object.keys(answers),
      ...["401", "403", "429", "500", "503"],
      ...(isForUser || query || body ? ["400"] : []),
      ...(isForUser || params ? ["404"] : []),
      ...(isForUser ? ["409"] : []),
      ...(body ? ["413", "415"] : []),
    ];
    expect(statuses).toEqual(expect.arrayContaining(implied));
    const inPath = (operation.parameters ?? []).flatMap((one) => ("in" in one && one.in === "path" ? [one.name] : []));
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(operation.security[0]).toEqual(
      scope === "partner"
        ? { partner: ["service-api/api"] }
        : { [scope === "account" ? "personal" : "application"]: [`service-api/${scope}`] },
    );
  });
});

test("each 503 and 507 says when to try again, and each way to upload a file can answer 507", () => {
  const unready = operations.flatMap(({ name, operation: { responses } }) =>
    ["503", "507"].flatMap((status) => (responses[status] ? [[status, name, responses[status].headers] as const] : [])),
  );
  expect(unready.filter(([, , headers]) => !headers?.["Retry-After"])).toEqual([]);
  expect(unready.flatMap(([status, name]) => (status === "507" ? [name] : [])).sort()).toEqual([
    "post /v1/media/upload",
    "post /v1/media/upload/confirm",
    "post /v1/media/upload/urls",
    "put /media/uploads/{owner}/{name}",
  ]);
});

describe("examples match their schemas, and every body has one", () => {
  test.each(operations)("$name", ({ operation }) => {
    const { parameters = [], requestBody, responses } = operation;
    for (const parameter of parameters) {
      if (!("in" in parameter)) continue;
      if (parameter.required) expect(parameter).toHaveProperty("example");
      if (parameter.example !== undefined) expect(misfits(parameter.schema, parameter.example)).toEqual([]);
    }
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const content of contents) expectExamples(content);
  });

  function expectExamples(content: OpenApiContent | undefined) {
    for (const [type, { schema, examples = {} }] of Object.entries(content ?? {})) {
      if (type !== "*/*") expect(Object.keys(examples)).not.toEqual([]);
      for (const { value } of Object.values(examples)) expect(misfits(schema, value)).toEqual([]);
    }
  }
});
