import { afterAll, beforeAll, expect, test } from "vitest";
import { countConnections, listenForIntruders } from "../../http/testing/canary";
import { hostileUrls } from "../../http/testing/hostile-urls";
import { bluesky } from "../bluesky";
import { makeApp } from "./fetch";
import { fetchWebFile } from "./web-page";

let canary: Awaited<ReturnType<typeof listenForIntruders>>;
let hostile: string[];
/** All connections that were opened, to any address. */
const connections = countConnections();

beforeAll(async () => {
  canary = await listenForIntruders();
  hostile = hostileUrls(canary.port).map(({ url }) => url);
});
afterAll(async () => {
  connections.stop();
  await canary.close();
});

test("T16: opens no connection for at least 150 hostile URLs as the page or image of a post's link", async () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(150);
  for (const url of hostile) expect([url, await fetchWebFile(url, 1_000)]).toEqual([url, undefined]);
  expect([connections.begun, canary.hits]).toEqual([0, 0]);
});

test("T16: opens no connection for at least 150 hostile URLs as an account's own Bluesky host", async () => {
  const app = makeApp(bluesky, { mode: "real", clientId: "", clientSecret: "" });
  const hosts = hostile.filter((url) => !url.startsWith("/")); // a path belongs to Bluesky's own host
  expect(new Set(hosts).size).toBeGreaterThanOrEqual(150);
  for (const url of hosts) {
    await expect(app.fetch(url, { auth: "none" }), url).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("refers to a host that Carillon must not call"),
    });
  }
  expect([connections.begun, canary.hits]).toEqual([0, 0]);
});
