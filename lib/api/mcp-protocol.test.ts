import { expect, test } from "vitest";
import { createPersonalToken } from "../oauth";
import { newOwner } from "../testing";
import { api } from "./app";

// What the official test suite cannot ask a server without the tools of its example (docs/mcp.md). Its client hides these answers.

type Headers = { [name: string]: string };

async function send(message: object, headers: Headers = {}): Promise<Response> {
  const { access_token } = await createPersonalToken(await newOwner(), ["posts.propose"]);
  return api.request("/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${access_token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

/** Sends a request, and returns the status and the message of the answer, which is JSON or one event. */
async function ask(method: string, params = {}, headers: Headers = {}) {
  const answer = await send({ id: "ä7", method, params }, headers);
  expect(answer.headers.get("mcp-session-id")).toBeNull();
  const text = await answer.text();
  return [answer.status, JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)];
}

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["2024-10-07", "2024-10-07"],
  ["1999-01-01", "2025-11-25"],
])("a program that asks for version %s gets %s, and learns that the tools never change", async (asked, given) => {
  const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  expect(await ask("initialize", params)).toEqual([
    200,
    {
      ...{ jsonrpc: "2.0", id: "ä7" },
      result: {
        protocolVersion: given,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: "carillon", title: "Carillon", version: expect.any(String) },
        instructions: expect.any(String),
      },
    },
  ]);
});

test("ping is answered", async () => {
  expect(await ask("ping")).toEqual([200, { jsonrpc: "2.0", id: "ä7", result: {} }]);
});

test.each([
  { method: "notifications/initialized" },
  { method: "notifications/cancelled", params: { requestId: 7 } },
  { id: 7, result: {} },
])("%j needs no answer", async (message) => {
  const answer = await send(message);
  expect([answer.status, await answer.text()]).toEqual([202, ""]);
});

test.each([
  ...["logging/setLevel", "completion/complete", "prompts/list", "prompts/get", "nothing/here"],
  ...["resources/list", "resources/read", "resources/templates/list", "resources/subscribe", "subscriptions/listen"],
])("%s is not offered, and the error says so", async (method) => {
  expect((await ask(method))[1]).toMatchObject({ id: "ä7", error: { code: -32601, message: "Method not found" } });
});

test.each([
  ["an unknown tool", { name: "nothing", arguments: {} }, "Tool nothing not found"],
  ["no tool", { arguments: {} }, expect.stringContaining("name")],
  ["arguments that are no object", { name: "list_accounts", arguments: null }, expect.stringContaining("arguments")],
])("%s is an error of the call", async (_, params, message) => {
  expect((await ask("tools/call", params))[1]).toMatchObject({ id: "ä7", error: { code: -32602, message } });
});

test("a cursor that no answer named is refused, as the protocol asks", async () => {
  const message = "No answer named this cursor. All tools are on one page: send tools/list without a cursor";
  expect(await ask("tools/list", { cursor: "page-2" })).toEqual([
    200,
    { jsonrpc: "2.0", id: "ä7", error: { code: -32602, message } },
  ]);
});

test("a session that nobody began does no harm", async () => {
  const list = { result: { tools: expect.any(Array) } };
  expect(await ask("tools/list", {}, { "mcp-session-id": "unknown" })).toMatchObject([200, list]);
});

test.each<[number, string, Headers]>([
  [400, "Unsupported protocol version: 1900-01-01", { "mcp-protocol-version": "1900-01-01" }],
  [406, "must accept both application/json and text/event-stream", { accept: "application/json" }],
])("%i: %s", async (status, message, headers) => {
  const error = { message: expect.stringContaining(message) };
  expect(await ask("tools/list", {}, headers)).toMatchObject([status, { error }]);
});
