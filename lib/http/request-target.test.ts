import { createServer } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../env";
import { acceptPageTarget, acceptTarget, hideForeignHost } from "./request-target";

const EVIL = "evil.example";

/** Answers with everything that a page could build an address from. */
const server = createServer((request, response) => {
  if (!acceptTarget(request, response)) return;
  if (!acceptPageTarget(request, response)) return;
  hideForeignHost(request);
  response.end(JSON.stringify([request.url, request.headers]));
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port; // it listens on a port, so its address is not a path
});
afterAll(() => server.close());

/** Sends bytes as they are, and returns the whole answer. */
function send(target: string, ...headers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    socket.once("end", () => resolve(answer)).once("error", reject);
    socket.write([`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));
  });
}

const host = new URL(env.appUrl).host;

describe("no response contains a host that is not ours", () => {
  test.each<[target: string, status: number, ...headers: string[]]>([
    [`http://${EVIL}/oauth/connect`, 421, `Host: ${EVIL}`],
    [`http://${EVIL}/oauth/connect`, 421, `Host: ${host}`],
    [`https://${EVIL}`, 421, `Host: ${host}`],
    [`http://${EVIL}:80@${host}.${EVIL}/`, 421, `Host: ${host}`],
    [`//${EVIL}/x`, 200, `Host: ${host}`],
    ["/sign-in", 200, `Host: ${EVIL}`],
    ["/sign-in", 200, `Host: "><script>${EVIL}</script>`],
    ["/sign-in", 200, `Host: ${host}/${EVIL}`],
    ["/sign-in", 200, `Host: localhost?${EVIL}`],
    ["/sign-in", 200, `Host: ${EVIL}@localhost`],
    ["/sign-in", 200, "Host: "],
    ["/sign-in", 200, `Host: ${host}`, `X-Forwarded-Host: ${EVIL}`, "X-Forwarded-Proto: https"],
    ["/sign-in", 200, `Host: ${host}`, `Forwarded: host=${EVIL}`],
    [`ftp://${EVIL}/`, 421, `Host: ${host}`],
  ])("%s: %d, %s %s", async (target, status, ...headers) => {
    const answer = await send(target, ...headers);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.replace(`["//${EVIL}/x",`, "")).not.toContain(EVIL); // the path is the client's own
  });

  test("the refusal is an error in JSON", async () => {
    const [head, body] = (await send(`http://${EVIL}/v1/me`, `Host: ${host}`)).split("\r\n\r\n");
    expect([head, body]).toEqual([
      expect.stringMatching(/\r\ncontent-type: application\/json\r\n/i),
      JSON.stringify({ error: "This server does not serve that host" }),
    ]);
  });

  test("a target in absolute form with our own host is reduced to its path", async () => {
    expect(await send(`http://${host}/sign-in?a=1`, `Host: ${EVIL}`)).toContain(`["/sign-in?a=1",{"host":"${host}"`);
  });
});

describe("400 for a target that Next would answer with 500, or that would block it", () => {
  test.each([
    "/_next/image?url=\\\\evil.example\\a.png&w=64&q=75",
    "/_next/image?url=%5C%5Cevil.example&w=64&q=75",
    "/_next/image?url=/%5Cevil.example&w=64&q=75",
    "/_next/image?url=//evil.example&w=64&q=75",
    "/_next/image?url=http://evil.example/a.png&w=64&q=75",
    "/_next/image\\a",
    "/\\evil.example",
    "/%5Cevil.example",
    "/%FF",
    `/posts?${"a=1&".repeat(100)}b=1`,
  ])("%s", async (target) => {
    expect(await send(target, `Host: ${host}`)).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each([
    [
      "a browser gets a page",
      "text/html,application/xhtml+xml,*/*;q=0.8",
      "text/html; charset=utf-8",
      "<h1>This address does not work</h1>",
    ],
    ["another client gets a line", "*/*", "text/plain", "The address is not well-formed\n"],
  ])("%s", async (_, accept, type, text) => {
    const [head = "", body] = (await send("/%FF", `Host: ${host}`, `Accept: ${accept}`)).split("\r\n\r\n");
    expect(head.toLowerCase()).toContain(`content-type: ${type}\r\n`);
    expect(body).toContain(text);
    expect(body).toContain("The address is not well-formed");
  });

  test("a hundred parameters are accepted", async () => {
    expect(await send(`/posts?${"a=1&".repeat(99)}b=1`, `Host: ${host}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  test("a backslash in another query stays as it was sent", async () => {
    expect(await send("/library?find=a\\b", `Host: ${host}`)).toContain("/library?find=a\\\\b");
  });
});
