import { expect, test } from "vitest";
import { type OpenApiOperation, openApiDocument } from "@/lib/api";
import { type TryableCall, tryableCalls } from "./calls";
import { requestOf } from "./try-call";

const calls = tryableCalls(openApiDocument());
const callNamed = (id: string): TryableCall =>
  calls.find((one) => one.id === id) ?? calls[0] ?? expect.fail("no calls at all");

/** A form with these values. */
function filled(values: { [name: string]: string }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

test("includes every call that a user can make, and no partner-only call", () => {
  const operations = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OpenApiOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
  const persons = operations.filter(([, { security }]) => security.some((one) => "session" in one));
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(persons.map(([name]) => name));
  expect(persons.map(([name]) => name)).toEqual(
    expect.arrayContaining(["GET /v1/accounts", "POST /v1/posts", "DELETE /v1/me"]),
  );
  expect(calls.filter(({ path }) => path.startsWith("/v1/connect/"))).toEqual([]);
});

test("a call has its parameters, an example body and its file parts", () => {
  expect(callNamed("getPostReceipt").fields).toMatchObject([{ name: "id", in: "path", required: true }]);
  expect(JSON.parse(callNamed("createPost").body ?? "")).toHaveProperty("publications");
  expect(callNamed("uploadMedia")).toMatchObject({ files: ["file"] });
  expect(callNamed("listAccounts")).not.toHaveProperty("body");
});

test("builds the request from the form; empty values are omitted and cannot escape their place", () => {
  const call: TryableCall = {
    ...{ id: "x", method: "GET", path: "/v1/things/{id}", title: "", noun: "", files: [], effect: "reads" },
    fields: [
      { name: "id", in: "path", required: true },
      { name: "status", in: "query", required: false },
      { name: "cursor", in: "query", required: false },
    ],
  };
  const form = filled({ "path id": "../a b?c", "query status": " A&B ", "query cursor": "" });
  expect(requestOf(call, form)).toEqual({ url: "/v1/things/..%2Fa%20b%3Fc?status=A%26B", method: "GET", headers: {} });
  const post = { ...call, method: "POST", body: "{}" };
  expect(requestOf(post, filled({ "path id": "1", body: '{"a":1}' }))).toEqual({
    ...{ url: "/v1/things/1", method: "POST", body: '{"a":1}' },
    headers: { "Content-Type": "application/json" },
  });
  const upload = requestOf({ ...call, files: ["file"] }, filled({ "path id": "1", "file file": "bytes" }));
  expect(upload.body).toBeInstanceOf(FormData);
  expect(upload.headers).toEqual({});
});

test("knows which calls read, change something, or can publish", () => {
  const effects = Object.fromEntries(calls.map(({ id, effect }) => [id, effect]));
  expect(calls.filter(({ effect }) => effect === "publishes").map(({ id, rehearsal }) => `${id} ${rehearsal}`)).toEqual(
    expect.arrayContaining([
      "approvePost undefined",
      "createFeed dryRun",
      "createPost validate",
      "updatePost validate",
      "importPosts dryRun",
      "mergePosts dryRun",
      "repeatPost dryRun",
      "retryPost undefined",
    ]),
  );
  expect(calls.filter(({ effect }) => effect === "publishes")).toHaveLength(8);
  expect(effects).toMatchObject({
    listPosts: "reads",
    validatePost: "reads",
    deletePost: "changes",
    uploadMedia: "changes",
  });
  const wrong = calls.filter(({ method, effect }) => method === "GET" && effect !== "reads");
  expect(wrong).toEqual([]);
});

test("a call that publishes is only rehearsed until the person ticks that it shall publish", () => {
  const values = { body: "{}", "path id": "7" };
  const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  const ticked = { ...values, "for real": "on" };
  const sent = (id: string, form: { [name: string]: string }) => requestOf(callNamed(id), filled(form));
  expect(sent("createPost", values)).toEqual({ url: "/v1/posts/validate", ...json });
  expect(sent("updatePost", values)).toEqual({ url: "/v1/posts/validate", ...json });
  expect(sent("repeatPost", values)).toEqual({ url: "/v1/posts/7/repeat?dryRun=true", ...json });
  expect(sent("createPost", ticked)).toEqual({ url: "/v1/posts", ...json });
  expect(sent("updatePost", ticked)).toEqual({ url: "/v1/posts/7", ...json, method: "PUT" });
  expect(sent("repeatPost", ticked)).toEqual({ url: "/v1/posts/7/repeat", ...json });
});
