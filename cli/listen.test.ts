import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../cli";
import { api } from "../lib/api";
import { db } from "../lib/db";
import { listenerFor } from "../lib/http/node-server";
import { serveFiles } from "../lib/http/testing/file-server";
import { createPersonalToken } from "../lib/oauth";
import { newOwner } from "../lib/testing";
import { ownPort } from "../lib/testing/own-port";
import { createWebhookSecret, type EventType, emit } from "../lib/webhooks";
import { listen } from "./listen";

const service = createServer(listenerFor(api.fetch));
let url: string;
let errors: string[];
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  errors = [];
  vi.spyOn(console, "error").mockImplementation((text) => void errors.push(String(text)));
});
afterEach(() => {
  process.exitCode = undefined;
});
afterAll(() => {
  vi.restoreAllMocks();
  service.closeAllConnections();
  service.close();
});

async function owned(events: EventType[] = []) {
  const owner = await newOwner();
  const { access_token: token } = await createPersonalToken(owner, ["webhooks.write"]);
  const emitNumbered = (type: EventType, n: number) => emit(db, [{ ownerId: owner, type, data: { n } }]);
  return { emitNumbered, listening: { url, token, secret: createWebhookSecret(), events, since: "now" } };
}

test("events are forwarded with a signature, and those that the receiver missed are sent again once it answers", async () => {
  const { emitNumbered, listening } = await owned(["post.failed"]);
  const port = await ownPort(); // nothing listens on it yet
  await emitNumbered("post.failed", 1);
  const stopping = new AbortController();
  const forwardTo = `http://127.0.0.1:${port}/hook`;
  const done = listen(
    { ...listening, forwardTo, since: Buffer.from('["0",0]').toString("base64url") },
    stopping.signal,
  );
  await expect.poll(() => errors, { timeout: 45_000 }).toContainEqual(expect.stringContaining("does not answer"));
  const hook = await serveFiles((_, response) => response.writeHead(204).end(), port);
  await emitNumbered("post.completed", 2);
  await emitNumbered("post.failed", 3);
  await expect.poll(() => hook.asked.length, { timeout: 45_000 }).toBe(2);
  const verified = hook.asked.map(({ body, headers }) =>
    new Webhook(listening.secret).verify(body, headers as { [name: string]: string }),
  );
  expect(verified).toMatchObject([
    { type: "post.failed", data: { n: 1 } },
    { type: "post.failed", data: { n: 3 } },
  ]);
  const answered = () => errors.filter((line) => /post.failed evt_\d+ -> 204/.test(line)).length;
  await expect.poll(answered, { timeout: 45_000 }).toBe(2);
  stopping.abort();
  expect(await done).toMatchObject({ forwarded: 2, refused: 0 });
  await hook.close();
});

describe("exit codes", () => {
  test.each([
    { when: "no token", args: ["--forward-to", "http://localhost:4000/hook"], code: 2, says: "--token is missing" },
    { when: "no address", args: ["--token", "t"], code: 2, says: "--forward-to is missing" },
    {
      when: "another scheme",
      args: ["--token", "t", "--forward-to", "ftp://a/"],
      code: 2,
      says: "--forward-to must be",
    },
    {
      when: "no such event",
      args: ["--token", "t", "--forward-to", "http://a/", "--event", "x"],
      code: 2,
      says: "--event",
    },
    {
      when: "an invalid token",
      args: ["--token", "t", "--forward-to", "http://a/"],
      code: 1,
      says: "Unauthorized",
    },
  ])("$code for $when", async ({ args, code, says }) => {
    errors.length = 0;
    await main(["listen", ...args, ...(code === 1 ? ["--url", url] : [])]);
    expect([process.exitCode, errors.join(" ")]).toEqual([code, expect.stringContaining(says)]);
  });

  test("1 for an address at which another service answers", async () => {
    const page = await serveFiles((_, response) => response.end("<html>"));
    errors.length = 0;
    await main(["listen", "--token", "t", "--forward-to", "http://a/", "--url", page.url]);
    await page.close();
    expect([process.exitCode, errors.at(-1)]).toEqual([1, `${page.url} does not answer like Carillon. Check --url`]);
  });
});
