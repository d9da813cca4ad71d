import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acceptPageBody } from "./form";

let isRead = false;
const server = createServer((request, response) => {
  if (!acceptPageBody(request, response)) return;
  isRead = true;
  request.resume().on("end", () => response.end());
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth/callback/credentials`;
});
afterAll(() => {
  server.close();
});

async function post(body: BodyInit, accept = "*/*"): Promise<{ status: number; text: string; isRead: boolean }> {
  isRead = false;
  const sent = { method: "POST", body, duplex: "half", headers: { accept } } as RequestInit; // `duplex` is not in all types
  const answer = await fetch(url, sent);
  if (!answer.ok) expect(answer.headers.get("content-type")).toMatch(accept === "*/*" ? "text/plain" : "text/html");
  return { status: answer.status, text: await answer.text(), isRead };
}

describe("Next and next-auth read no body", () => {
  test("above the size of a form: 413", async () => {
    expect(await post("a".repeat(65_537))).toEqual({
      status: 413,
      text: "The body is too large: the maximum is 64 KB\n",
      isRead: false,
    });
  });

  test("without a declared length: 411", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("a=1"));
        controller.close();
      },
    });
    expect(await post(body)).toEqual({ status: 411, text: "Content-Length is missing\n", isRead: false });
  });

  test("and a browser shows a page that says it", async () => {
    const answer = await post("a".repeat(65_537), "text/html,application/xhtml+xml,*/*;q=0.8");
    expect(answer).toMatchObject({ status: 413, isRead: false });
    expect(answer.text).toContain("<h1>This form is too long</h1>");
    expect(answer.text).toContain("at most 64 KB");
    expect(answer.text).not.toContain("<script");
  });
});

test("a form of the largest size, and a request without a body, are read", async () => {
  expect(await post("a".repeat(65_536))).toMatchObject({ status: 200, isRead: true });
  expect(await post("")).toMatchObject({ status: 200, isRead: true });
});
