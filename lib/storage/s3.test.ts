import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { preflightProblem } from "./s3";

const ORIGIN = "https://carillon.example";
const HEADERS = ["Content-Type", "x-amz-meta-filename"];
let server: Server;
let url: string;
let answer: [status: number, headers: { [name: string]: string }];

beforeAll(async () => {
  server = createServer((request, response) => {
    const isPreflight =
      request.method === "OPTIONS" &&
      request.headers.origin === ORIGIN &&
      request.headers["access-control-request-method"] === "PUT" &&
      request.headers["access-control-request-headers"] === "content-type,x-amz-meta-filename";
    response.writeHead(isPreflight ? answer[0] : 500, answer[1]).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/a`;
});
afterAll(() => server.close());

const rule = (origin: string, methods: string, headers: string): typeof answer => [
  200,
  {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": headers,
  },
];

test.each<[what: string, answer: [number, { [name: string]: string }], says: RegExp | undefined]>([
  ["a matching rule", rule(ORIGIN, "GET, PUT", "Content-Type, X-Amz-Meta-Filename"), undefined],
  ["a rule for every origin", rule("*", "PUT", "*"), undefined],
  ["no rule", [403, {}], /no CORS rule for https:\/\/carillon\.example/],
  ["a rule for another origin", rule("https://other.example", "PUT", "*"), /no CORS rule/],
  ["a rule without PUT", rule(ORIGIN, "GET", "*"), /does not allow PUT/],
  ["a rule without a header", rule(ORIGIN, "PUT", "content-type"), /headers x-amz-meta-filename$/],
])("%s", async (_, answered, says) => {
  answer = answered;
  const problem = await preflightProblem(url, HEADERS, ORIGIN);
  if (says) expect(problem).toMatch(says);
  else expect(problem).toBeUndefined();
});

test("a bucket that does not answer", async () => {
  expect(await preflightProblem("http://127.0.0.1:9/", HEADERS, ORIGIN)).toBe("the bucket cannot be reached");
});
