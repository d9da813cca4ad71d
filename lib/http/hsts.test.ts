import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { addHsts } from "./hsts";

const ADDRESSES = ["https://api.example.com", "http://localhost:3000", "https://app.example.com:8443"];

function hstsFor(host: string, addresses = ADDRESSES): unknown {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers: { host } });
  const response = new ServerResponse(request);
  addHsts(
    request,
    response,
    addresses.map((address) => new URL(address)),
  );
  return response.getHeader("strict-transport-security");
}

test.each([
  ["api.example.com", "max-age=31536000"],
  ["app.example.com:8443", "max-age=31536000"],
  ["localhost:3000", undefined],
  ["other.example.com", undefined],
  ["a b", undefined],
])("a response for %s has Strict-Transport-Security: %s", (host, expected) => {
  expect(hstsFor(host)).toBe(expected);
});

test.each(["127.0.0.1:3000", "a b", "app.example.com"])(
  "if every address is https, a proxy that passes the host %s gets the header too",
  (host) => {
    expect(hstsFor(host, ["https://app.example.com", "https://api.example.com"])).toBe("max-age=31536000");
  },
);
