import { expect, test } from "vitest";
import { withTokenCalls } from "./token-calls";

const described = withTokenCalls(() => ["not a token call"], {
  "POST /token": {
    source: "a page",
    hasBasic: true,
    grants: [
      { grantType: "authorization_code", required: ["code"], optional: ["verifier"] },
      { grantType: "", required: ["token"] },
    ],
  },
  "GET /token": { source: "a page", grants: [{ grantType: "", required: ["token"] }] },
});
const FORM = { "content-type": "application/x-www-form-urlencoded", authorization: "Basic YTpi" };
const ask = (method: string, address: string, body = "", headers: { [name: string]: string } = FORM) => {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  return described({ method, path, query, headers: new Headers(headers), body: new TextEncoder().encode(body) });
};

test.each([
  ["a code", "grant_type=authorization_code&code=a"],
  ["a code with an optional parameter", "grant_type=authorization_code&code=a&verifier=b"],
  ["a call without a grant type", "token=a"],
])("accepts %s", async (_, body) => {
  expect(await ask("POST", "/token", body)).toEqual([]);
});

test("accepts the parameters of a GET in its query", async () => {
  expect(await ask("GET", "/token?token=a", "", {})).toEqual([]);
});

test("leaves other calls to the description", async () => {
  expect(await ask("POST", "/posts")).toEqual(["not a token call"]);
});

test.each<[string, body: string, problem: string, headers?: { [name: string]: string }, query?: string]>([
  ["an unknown parameter", "token=a&stray=1", "parameter stray is unknown"],
  ["a parameter twice", "token=a&token=b", "parameter token is sent twice"],
  ["a missing parameter", "grant_type=authorization_code", "parameter code is missing"],
  ["an empty parameter", "token=", "parameter token is missing"],
  ["another grant", "grant_type=password&code=a", 'the grant type "password" is not described in a page'],
  ["a parameter in the query", "token=a", "a token call has no query", FORM, "?a=1"],
  [
    "another type",
    '{"token":"a"}',
    "the form is not application/x-www-form-urlencoded",
    { ...FORM, "content-type": "application/json" },
  ],
  [
    "no credentials",
    "token=a",
    "the credentials are not in the Authorization header",
    { "content-type": FORM["content-type"] },
  ],
])("rejects %s", async (_, body, problem, headers = FORM, query = "") => {
  expect(await ask("POST", `/token${query}`, body, headers)).toEqual([problem]);
});
