import { expect, test } from "vitest";
import { multipart } from "../wire/request-body";
import { type Extract, openApi } from "./open-api";
import type { SentRequest } from "./request-checks";

const extract: Extract = {
  source: "a description",
  version: "1",
  date: "2026-01-01",
  servers: [{ url: "https://api.example.com/v5" }],
  paths: {
    "/pins": {
      post: {
        parameters: [{ name: "Idempotency", in: "header", required: true, schema: { type: "string", minLength: 3 } }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pin" } } } },
      },
    },
    "/pins/mine": { get: { parameters: [] } },
    "/pins/{id}": {
      get: {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^\\d+$" } },
          { name: "size", in: "query", schema: { type: "integer", maximum: 100 } },
          { name: "fields", in: "query", explode: false, schema: { type: "array", items: { enum: ["a", "b"] } } },
        ],
      },
      put: { requestBody: { content: { "multipart/form-data": { schema: { $ref: "#/components/schemas/Part" } } } } },
    },
  },
  components: {
    schemas: {
      Base: {
        type: "object",
        required: ["id", "board"],
        properties: { id: { type: "string", readOnly: true }, board: { type: "string" } },
      },
      Pin: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          { type: "object", properties: { title: { type: "string", nullable: true } } },
        ],
      },
      Part: {
        type: "object",
        required: ["index", "media"],
        properties: {
          index: { type: "integer" },
          media: { type: "string", format: "binary" },
          more: { type: "object", properties: { a: { type: "boolean" } } },
        },
      },
    },
  },
};
const described = openApi(extract, { undescribed: ["POST /v5/token"] });
const ask = (method: string, address: string, headers: { [name: string]: string } = {}, body = "") => {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  const sent: SentRequest = {
    method,
    path,
    query,
    headers: new Headers(headers),
    body: new TextEncoder().encode(body),
  };
  return described(sent);
};
const json = { "content-type": "application/json", idempotency: "abc" };
const pin = (body: object, headers: { [name: string]: string } = json) =>
  ask("POST", "/v5/pins", headers, JSON.stringify(body));

test.each([
  ["a body as it is described", () => pin({ board: "1", title: null })],
  ["a fixed path before one with a parameter", () => ask("GET", "/v5/pins/mine")],
  ["parameters", () => ask("GET", "/v5/pins/7?size=100&fields=a,b")],
  ["an undescribed address listed by name", () => ask("POST", "/v5/token", {}, "x=1")],
])("accepts %s", async (_, request) => {
  expect(await request()).toEqual([]);
});

test.each([
  ["another address", () => ask("GET", "/v5/boards"), "no such address in a description"],
  ["without the base path", () => ask("GET", "/pins/7"), "no such address in a description"],
  ["another method", () => ask("DELETE", "/v5/pins/7"), "no such address in a description"],
  ["an unknown query field", () => ask("GET", "/v5/pins/7?sise=1"), "query sise is unknown"],
  [
    "a number above its maximum",
    () => ask("GET", "/v5/pins/7?size=101"),
    "query size: the whole must be <= 100 (<=, 100)",
  ],
  ["an invalid number", () => ask("GET", "/v5/pins/7?size=ten"), "query size: the whole must be integer (integer)"],
  [
    "a value outside a list",
    () => ask("GET", "/v5/pins/7?fields=a,c"),
    "query fields: /1 must be equal to one of the allowed values (a,b)",
  ],
  ["a path parameter", () => ask("GET", "/v5/pins/x"), 'path id: the whole must match pattern "^\\d+$" (^\\d+$)'],
  [
    "a missing header",
    () => pin({ board: "1" }, { "content-type": "application/json" }),
    "header Idempotency is missing",
  ],
  ["a missing field", () => pin({}), "body: the whole must have required property 'board' (board)"],
  [
    "an unknown field",
    () => pin({ board: "1", link: "x" }),
    "body: the whole must NOT have unevaluated properties (link)",
  ],
  ["a field that only answers have", () => pin({ board: "1", id: "x" }), "body: /id boolean schema is false ()"],
  [
    "a body of another type",
    () => pin({ board: "1" }, { ...json, "content-type": "text/plain" }),
    'a body of type "text/plain" where application/json are described',
  ],
  ["a body that is not described", () => ask("GET", "/v5/pins/mine", {}, "x"), "a body where none is described"],
])("rejects %s", async (_, request, problem) => {
  expect(await request()).toContain(problem);
});

test("parses form parts by their types", async () => {
  const file = { filename: "a", contentType: "video/mp4", sizeBytes: 1, open: async () => new Blob(["x"]).stream() };
  const send = async (parts: Parameters<typeof multipart>[0]) => {
    const { headers, body } = multipart(parts);
    return ask("PUT", "/v5/pins/7", headers, await new Response(body).text());
  };
  expect(await send({ index: "1", media: file, more: '{"a":true}' })).toEqual([]);
  expect(await send({ index: "one", more: '{"b":true}' })).toEqual([
    "body: the whole must have required property 'media' (media)",
    "body: /index must be integer (integer)",
    "body: /more must NOT have unevaluated properties (b)",
  ]);
});
