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

test("another status of an answer or an error of the API breaks a program", async () => {
  const path = "/v1/media/upload/import";
  const onlyImports = (all: OpenApi): OpenApi => ({ ...all, paths: { [path]: all.paths[path] ?? {} } });
  const changed = structuredClone(onlyImports(document));
  const { 202: answer, 413: _, ...rest } = changed.paths[path]?.post?.responses ?? {};
  Object.assign(changed.paths[path]?.post ?? {}, { responses: { ...rest, 200: answer } });
  const { broken } = await changesOf(onlyImports(JSON.parse(fileOf("released.json"))), changed);
  expect(broken).toEqual([
    expect.stringMatching(/^the answer of POST \/v1\/media\/upload\/import: .*"200".*"202"/),
    expect.stringMatching(/^the errors of POST \/v1\/media\/upload\/import: .*413/),
  ]);
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
  const json = (schema: Json) => ({ content: { "application/json": { schema } } });
  const fields = { id: text, state: { enum: ["OPEN", "DONE"] }, note: text };
  const result = answer(fields, ["id", "state"]);
  const texts = { type: "array", items: text };
  const refused = answer({ error: text, field: text }, ["error"]);
  /** A document with one call and one event. */
  function documentOf(
    change: { result?: Json; answers?: Json; body?: Json; query?: Json[]; event?: Json; more?: Json } = {},
  ) {
    const {
      answers = { 202: json(change.result ?? result), 400: json(refused), 409: json(refused) },
      body = answer({ text, tags: texts }, ["text"]),
      query = [{ name: "limit", in: "query", required: false, schema: { type: "integer" } }],
      event = answer({ id: text }, ["id"]),
      more = {},
    } = change;
    const post = {
      parameters: query,
      requestBody: { required: true, ...json(body) },
      responses: answers,
    };
    return {
      paths: { "/v1/things": { post, ...(more as object) } },
      webhooks: { "thing.done": { post: { requestBody: json({ $ref: "#/components/schemas/Done" }) } } },
      components: { schemas: { Done: answer({ type: text, timestamp: text, data: event }, ["data"]) } },
    } as never;
  }
  const ANSWER = "the answer of POST /v1/things";
  const ERRORS = "the errors of POST /v1/things";
  const BODY = "the body of POST /v1/things";
  const errors = { 400: json(refused), 409: json(refused) };
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
    ["a request needs one more field", { body: answer({ text, owner: text, tags: {} }, ["text", "owner"]) }, BODY],
    ["a request has one field less", { body: answer({ text }, ["text"]) }, BODY],
    ["a parameter is gone", { query: [] }, "the query of POST /v1/things"],
    ["an event lacks a field", { event: answer({}, []) }, "the event thing.done"],
    ["an answer has another status", { answers: { 200: json(result), ...errors } }, ANSWER],
    ["an answer can have one more status", { answers: { 200: {}, 202: json(result), ...errors } }, ANSWER],
    ["an answer has no body any more", { answers: { 202: {}, ...errors } }, ANSWER],
    ["an error has another status", { answers: { 202: json(result), 400: json(refused), 422: json(refused) } }, ERRORS],
    [
      "the body of an error lacks a field",
      { answers: { 202: json(result), 400: json(answer({ message: text }, ["message"])), 409: json(refused) } },
      ERRORS,
    ],
    [
      "a field of an error has another type",
      { answers: { 202: json(result), 400: json(refused), 409: json(answer({ error: {} }, ["error"])) } },
      ERRORS,
    ],
    ["an error has no body any more", { answers: { 202: json(result), 400: json(refused), 409: {} } }, ERRORS],
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
      body: answer({ text, tags: texts, colour: text }, []),
      more: get,
    };
    expect(await changesOf(documentOf(), documentOf(change))).toEqual({
      added: ["GET /v1/things"],
      changed: [ANSWER, BODY],
      broken: [],
    });
    expect(await changesOf(documentOf(), documentOf())).toEqual({ added: [], changed: [], broken: [] });
  });

  test.each([
    ["a call has one more error", { answers: { 202: json(result), ...errors, 413: json(refused) } }, ERRORS],
    ["a request can have one more field", { body: answer({ text, tags: texts, colour: text }, ["text"]) }, BODY],
    ["an answer can have one more field", { result: answer({ ...fields, more: text }, ["id", "state"]) }, ANSWER],
    ["an event can have one more field", { event: answer({ id: text, more: text }, ["id"]) }, "the event thing.done"],
  ])("is listed and harmless: %s", async (_, change, what) => {
    const { changed, broken } = await changesOf(documentOf(), documentOf(change as object));
    expect([changed, broken]).toEqual([[what], []]);
  });
});
