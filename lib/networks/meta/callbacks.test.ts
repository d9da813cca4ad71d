import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PlatformError } from "../errors";
import { threads } from "../threads";
import { makeApp } from "../wire/fetch";
import { readSignedRequest } from "./callbacks";
import { signedRequest } from "./testing/signed-request";

const SECRET = "the-secret-of-this-application";
const app = makeApp(threads, { mode: "real", clientId: "1", clientSecret: SECRET });
const FORM = "application/x-www-form-urlencoded";
const read = (body: string, type = FORM) =>
  readSignedRequest(app, { headers: new Headers({ "content-type": type }), body });
const field = (value: string) => new URLSearchParams({ signed_request: value }).toString();

const right = signedRequest(SECRET, "17841405793187218", { issued_at: 1_800_000_000 });
const [signature = "", payload = ""] = right.split(".");
const sign = (text: string, secret = SECRET) => createHmac("sha256", secret).update(text).digest("base64url");
const encoded = (value: string) => Buffer.from(value).toString("base64url");
const made = (value: unknown) => {
  const text = encoded(typeof value === "string" ? value : JSON.stringify(value));
  return `${sign(text)}.${text}`;
};
const fields = { algorithm: "HMAC-SHA256", issued_at: 1_800_000_000, user_id: "7" };

test("returns the account and time, with the full ID even for numbers above 2^53", () => {
  const at = new Date(1_800_000_000_000);
  expect(read(field(right))).toEqual({ accountId: "17841405793187218", at });
  const number = `{"algorithm":"HMAC-SHA256","issued_at":1800000000,"user_id":17841405793187219}`;
  expect(read(field(made(number)))).toEqual({ accountId: "17841405793187219", at });
});

describe("rejects", () => {
  test.each<[what: string, body: string, type?: string]>([
    ["no field", ""],
    ["an empty field", field("")],
    ["no payload", field(signature)],
    ["no signature", field(`.${payload}`)],
    ["a third part", field(`${right}.x`)],
    ["two fields", `${field(right)}&${field(right)}`],
    ["JSON", JSON.stringify({ signed_request: right }), "application/json"],
    ["another application's secret", field(signedRequest("the-secret-of-another-application", "7"))],
    ["an empty secret", field(`${sign(payload, "")}.${payload}`)],
    ["a modified payload", field(`${signature}.${encoded(JSON.stringify({ ...fields, user_id: "8" }))}`)],
    ["a padded payload", field(`${signature}.${payload}=`)],
    ["a padded signature", field(`${signature}=.${payload}`)],
    ["a truncated signature", field(`${signature.slice(0, -4)}.${payload}`)],
    ["a signature in hex", field(`${createHmac("sha256", SECRET).update(payload).digest("hex")}.${payload}`)],
    ["a signature over the decoded payload", field(`${sign(Buffer.from(payload, "base64url").toString())}.${payload}`)],
    ["another algorithm", field(made({ ...fields, algorithm: "none" }))],
    ["no algorithm", field(made({ ...fields, algorithm: undefined }))],
    ["no user", field(made({ ...fields, user_id: undefined }))],
    ["no time", field(made({ ...fields, issued_at: undefined }))],
    ["an expired request", field(made({ ...fields, expires: 1_000_000_000 }))],
    ["invalid JSON", field(made("hello"))],
    ["a list", field(made([fields]))],
  ])("%s", (_, body, type) => {
    expect(() => read(body, type)).toThrow(PlatformError);
    expect(() => read(body, type)).toThrow("signed_request was not signed by Meta for this application");
  });
});
