import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../lib/api";
import type { OpenApi } from "../../lib/api/openapi/types";

type Changes = { added: string[]; changed: string[]; broken: string[] };
type Build = { typesOf(document: OpenApi): Promise<string> };
type Comparison = { changesOf(before: OpenApi, after: OpenApi): Promise<Changes> };
const scriptOf = (name: string) => import(pathToFileURL(`packages/openapi/${name}`).href); // TypeScript finds no types for a literal path
const { typesOf }: Build = await scriptOf("build.mjs");
const { changesOf }: Comparison = await scriptOf("changes.mjs");

const document = JSON.parse(JSON.stringify(openApiDocument()));
const fileOf = (name: string) => readFileSync(`packages/openapi/${name}`, "utf8");

test("index.d.ts has the types of the API (node packages/openapi/build.mjs)", async () => {
  expect(fileOf("index.d.ts")).toBe(await typesOf(document));
});

// See docs/changes.md, “What you can rely on”. After a release: node packages/openapi/build.mjs --release
test("no change since the last release breaks a program", async () => {
  const { broken } = await changesOf(JSON.parse(fileOf("released.json")), document);
  expect(broken).toEqual([]);
});

describe("a change", () => {
  type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
  const text = { type: "string" };
  const answer = (properties: Json, required: string[]) => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  /** A document with one call and one event. */
  function documentOf(change: { result?: Json; body?: Json; query?: Json[]; event?: Json; more?: Json } = {}) {
    const {
      result = answer({ id: text, state: { enum: ["OPEN", "DONE"] }, note: text }, ["id", "state"]),
      body = answer({ text, tags: { type: "array", items: text } }, ["text"]),
      query = [{ name: "limit", in: "query", required: false, schema: { type: "integer" } }],
      event = answer({ id: text }, ["id"]),
      more = {},
    } = change;
    const json = (schema: Json) => ({ content: { "application/json": { schema } } });
    const post = {
      parameters: query,
      requestBody: { required: true, ...json(body) },
      responses: { 201: json(result) },
    };
    return {
      paths: { "/v1/things": { post, ...(more as object) } },
      webhooks: { "thing.done": { post: { requestBody: json({ $ref: "#/components/schemas/Done" }) } } },
      components: { schemas: { Done: answer({ type: text, timestamp: text, data: event }, ["data"]) } },
    } as never;
  }
  const ANSWER = "the answer of POST /v1/things";
  const get = { get: { responses: { 200: {} } } };

  test.each([
    ["a field of an answer is gone", { result: answer({ id: text }, ["id"]) }, ANSWER],
    ["a field may be missing", { result: answer({ id: text, state: { enum: ["OPEN", "DONE"] } }, ["id"]) }, ANSWER],
    [
      "a field may be null",
      { result: answer({ id: { type: ["string", "null"] }, state: { enum: ["OPEN"] } }, ["id", "state"]) },
      ANSWER,
    ],
    [
      "a field has another type",
      { result: answer({ id: { type: "integer" }, state: { enum: ["OPEN"] } }, ["id", "state"]) },
      ANSWER,
    ],
    [
      "a field has one more value",
      { result: answer({ id: text, state: { enum: ["OPEN", "DONE", "LOST"] } }, ["id", "state"]) },
      ANSWER,
    ],
    [
      "a request needs one more field",
      { body: answer({ text, owner: text, tags: {} }, ["text", "owner"]) },
      "the body of POST /v1/things",
    ],
    ["a request has one field less", { body: answer({ text }, ["text"]) }, "the body of POST /v1/things"],
    ["a parameter is gone", { query: [] }, "the query of POST /v1/things"],
    ["an event lacks a field", { event: answer({}, []) }, "the event thing.done"],
  ])("breaks programs: %s", async (_, change, what) => {
    const { broken } = await changesOf(documentOf(), documentOf(change as object));
    expect(broken).toEqual([expect.stringContaining(`${what}: `)]);
  });

  test("breaks programs: a call is gone", async () => {
    expect((await changesOf(documentOf({ more: get }), documentOf())).broken).toEqual(["GET /v1/things was removed"]);
  });

  test("is harmless if nothing that was there is missing", async () => {
    const change = {
      result: answer({ id: text, state: { enum: ["OPEN"] }, note: text, size: { type: "integer" } }, [
        "id",
        "state",
        "size",
      ]),
      body: answer({ text, tags: { type: "array", items: text }, colour: text }, []),
      more: get,
    };
    expect(await changesOf(documentOf(), documentOf(change))).toEqual({
      added: ["GET /v1/things"],
      changed: [ANSWER, "the body of POST /v1/things"],
      broken: [],
    });
    expect(await changesOf(documentOf(), documentOf())).toEqual({ added: [], changed: [], broken: [] });
  });
});
