import { once } from "node:events";
import { createServer, IncomingMessage, request, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { isOnWrongHost, separateMediaUrl } from "./media-host";

const ONE_HOST = {
  baseUrl: "https://api.example.com",
  authUrl: "https://app.example.com",
  appUrl: "https://app.example.com",
  mediaUrl: "https://app.example.com",
};
const SEPARATE = { ...ONE_HOST, mediaUrl: "https://files.example.net" };
const FILE = "/media/0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10?e=1&s=x";

function ask(host: string, url: string, method = "GET", at = SEPARATE): unknown {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers: { host }, url, method });
  const response = new ServerResponse(request);
  const isAnswered = isOnWrongHost(request, response, separateMediaUrl(at));
  return isAnswered ? [response.statusCode, response.getHeader("location")] : "passed on";
}

describe("with a MEDIA_URL of its own", () => {
  test.each([
    ["files.example.net", FILE, "GET", "passed on"],
    ["files.example.net", FILE.replace("?", "/thumbnail?"), "HEAD", "passed on"],
    ["files.example.net", "/", "GET", [404, undefined]],
    ["files.example.net", "/v1/me", "GET", [404, undefined]],
    ["files.example.net", "/sign-in", "POST", [404, undefined]],
    ["files.example.net", "/media/uploads/a/b", "PUT", [404, undefined]],
    ["files.example.net", "/media/..%2fsign-in", "GET", [404, undefined]],
    ["app.example.com", FILE, "GET", [308, `https://files.example.net${FILE}`]],
    ["10.0.0.7", FILE, "GET", [308, `https://files.example.net${FILE}`]],
    ["app.example.com", FILE.replace("/0d9f", "/%30d9f"), "GET", [404, undefined]],
    ["app.example.com", FILE.replace("/media", "/%6dedia"), "GET", [404, undefined]],
    ["app.example.com", FILE.replace("/media/", "//media//"), "GET", [404, undefined]],
    ["app.example.com", FILE.replace("/media", "/x/../media"), "GET", [404, undefined]],
    ["app.example.com", FILE, "POST", [404, undefined]],
    ["app.example.com", "/media/uploads/a/b", "PUT", "passed on"],
    ["app.example.com", "/", "GET", "passed on"],
    ["api.example.com", "/v1/me", "GET", "passed on"],
  ])("%s %s %s: %j", (host, url, method, expected) => {
    expect(ask(host, url, method)).toEqual(expected);
  });
});

test("a refusal is an error in JSON, and the body of a refused request is read", async () => {
  const server = createServer((request, response) => isOnWrongHost(request, response, separateMediaUrl(SEPARATE)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so its address is not a path
  const answerTo = async (host: string, path: string) => {
    const call = request({ port, path, method: "PUT", headers: { host }, agent: false }).end("x".repeat(1_000_000));
    const [answer] = await once(call, "response");
    return [answer.statusCode, answer.headers["content-type"], await json(answer)];
  };
  const refused = (error: string) => [404, "application/json", { error }];
  expect(await answerTo("files.example.net", "/v1/me")).toEqual(refused("This host serves only media"));
  expect(await answerTo("app.example.com", FILE)).toEqual(refused("This host serves no media"));
  server.close();
});

test("without one, every host serves files", () => {
  for (const host of ["app.example.com", "api.example.com", "10.0.0.7"]) {
    expect(ask(host, FILE, "GET", ONE_HOST)).toBe("passed on");
  }
});
