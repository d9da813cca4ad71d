import { expect, test } from "vitest";
import { graphApi, type Nodes } from "./graph-api";

const nodes: Nodes = {
  source: "a description",
  date: "2026-01-01",
  nodes: {
    User: {
      fields: ["id", "name"],
      edges: {
        "POST:media": { caption: "string", is_item: "bool", tags: "list<map>", place: "Object" },
        "POST:publish": { id: "unsigned int!" },
      },
    },
    Media: { fields: ["id", "permalink"], edges: {} },
  },
};
const described = graphApi(
  nodes,
  {
    "POST /v1.0/{id}/media": { edge: "User POST:media" },
    "POST /v1.0/{id}/publish": { edge: "User POST:publish" },
    "GET /v1.0/{id}": { fields: ["User", "Media"] },
  },
  { tags: { type: "array", items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
);
const ask = (method: string, address: string, form?: string) => {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  const headers = new Headers(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" });
  return described({ method, path, query, headers, body: new TextEncoder().encode(form ?? "") });
};

test.each<[string, method: string, address: string, form?: string]>([
  [
    "parameters as they are described",
    "POST",
    "/v1.0/1/media?access_token=t",
    'caption={}&is_item=true&tags=[{"name":"a"}]',
  ],
  ["the fields of one of the nodes", "GET", "/v1.0/1?fields=id,permalink"],
])("accepts %s", async (_, method, address, form) => {
  expect(await ask(method, address, form)).toEqual([]);
});

test.each([
  ["another address", "GET", "/v1.0/1/media", undefined, "no such address in a description"],
  ["an unknown parameter", "POST", "/v1.0/1/media", "captoin=a", "parameter captoin is unknown"],
  ["a value of another type", "POST", "/v1.0/1/media", "is_item=1", "parameter is_item is not bool: 1"],
  ["an invalid list", "POST", "/v1.0/1/media", "tags=a", "parameter tags is not list<map>: a"],
  [
    "an unknown field in a JSON value",
    "POST",
    "/v1.0/1/media",
    'tags=[{"name":"a","stray":1}]',
    "parameter tags: /0 must NOT have unevaluated properties (stray)",
  ],
  [
    "a JSON value without a described form",
    "POST",
    "/v1.0/1/media",
    'place={"name":"a"}',
    'the form of parameter place is not described: {"name":"a"}',
  ],
  ["a missing parameter", "POST", "/v1.0/1/publish", undefined, "parameter id is missing"],
  [
    "fields of two nodes at once",
    "GET",
    "/v1.0/1?fields=name,permalink",
    undefined,
    "fields name,permalink are not all of User or Media",
  ],
])("rejects %s", async (_, method, address, form, problem) => {
  expect(await ask(method, address, form)).toEqual([problem]);
});
