import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isDatabaseUnavailable } from "../db";
import { preflightProblem, s3Store } from "./s3";
import { discard, stage } from "./staged";
import { StoreRefused, StoreUnavailable, storeUnavailableOf } from "./unavailable";

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

/** Stores a file in a bucket that answers like this, and waits 200 ms for an answer. Returns the error, if there is one. */
async function errorOfPut(answer: RequestListener): Promise<unknown> {
  const bucket = createServer(answer);
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
  const keys = { bucket: "files", region: "us-east-1", accessKeyId: "a", secretAccessKey: "b" };
  const store = s3Store({ endpoint, ...keys }, 200);
  const file = await stage(Readable.from([Buffer.from("bytes")]), 10);
  const put = store.put(`objects/${randomUUID()}`, file, "image/png");
  const error = await put.catch((thrown: unknown) => thrown);
  await discard(file);
  bucket.closeAllConnections();
  bucket.close();
  return error;
}

describe("a bucket that", () => {
  test.each<[fails: string, answer: RequestListener]>([
    ["cuts the connection", (request) => void request.socket.destroy()],
    ["never answers", () => undefined],
    ["answers 503", (request, response) => void request.resume().on("end", () => response.writeHead(503).end())],
  ])("%s is reported as the store, not as the database, and the call ends", async (_, answer) => {
    const error = await errorOfPut(answer);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test.each<[fails: string, status: number, code: string]>([
    ["refuses the key", 403, "InvalidAccessKeyId"],
    ["is gone", 404, "NoSuchBucket"],
  ])("%s is reported as the store: the operator can bring it back, and posts wait", async (_, status, code) => {
    const error = await errorOfPut((request, response) => {
      const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
      request.resume().on("end", () => response.writeHead(status, { "content-type": "application/xml" }).end(body));
    });
    expect([error, error instanceof StoreRefused && error.reason]).toEqual([expect.any(StoreUnavailable), "no"]);
  });

  test("has a certificate that is not valid any more is reported as the store", () => {
    const expired = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
    expect(storeUnavailableOf(expired)).toBeInstanceOf(StoreRefused);
  });

  test("cuts one connection gets the whole file on the next", async () => {
    const received: string[] = [];
    let calls = 0;
    const error = await errorOfPut((request, response) => {
      calls += 1;
      if (calls === 1) return void request.socket.destroy();
      request.on("data", (bytes: Buffer) => received.push(bytes.toString()));
      request.on("end", () => response.end());
    });
    expect([error, calls, received.join("")]).toEqual([undefined, 2, "bytes"]);
  });
});
