import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { api, errorOf, put } from "./testing";

const sandbox = testSandbox();
let received: { signature: string; body: string }[] = [];
let status = 200;
const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    received.push({ signature: String(request.headers["tiktok-signature"]), body });
    response.writeHead(status).end();
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  [received, status] = [[], 200];
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await sandbox.control("POST", "tiktok/app", { webhookUrl });
});
const events = () => received.map(({ body }) => JSON.parse(body).event);

test("removing the application revokes the token and sends an event signed over time and body", async () => {
  const alice = await api(sandbox, "alice");
  await sandbox.control("POST", "tiktok/remove", { account: "alice", reason: 2 });
  await expect.poll(() => received).toHaveLength(1);
  const [{ signature = "", body = "" } = {}] = received;
  const [, time, hash] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(signature) ?? [];
  expect(hash).toBe(createHmac("sha256", "sandbox-tiktok-secret").update(`${time}.${body}`).digest("hex"));
  expect(JSON.parse(body)).toEqual({
    client_key: "sandbox-tiktok",
    event: "authorization.removed",
    create_time: expect.any(Number),
    user_openid: expect.stringMatching(/^-000/),
    content: '{"reason":2}',
  });
  expect(await errorOf(await alice.creator())).toEqual([401, "access_token_invalid"]);
});

test("a post sends the complete event, then the publicly_available event with its id, with retries until 200", async () => {
  status = 500;
  const bob = await api(sandbox, "bob");
  const file = mp4();
  const init = await bob.video({}, { video_size: file.length, chunk_size: file.length });
  const { publish_id, upload_url } = (await init.json()).data;
  await put(upload_url, file, `0-${file.length - 1}/${file.length}`);
  await expect.poll(events).toEqual(["post.publish.complete"]);
  status = 200;
  // Each time, because the first event may not yet wait for its next attempt.
  const later = () => sandbox.advance(61).then(() => events().sort());
  await expect
    .poll(later)
    .toEqual(["post.publish.complete", "post.publish.complete", "post.publish.publicly_available"]);
  const [post] = await sandbox.posts("tiktok");
  const event = received.find(({ body }) => body.includes("publicly_available"));
  expect(JSON.parse(event?.body ?? "{}").content).toBe(
    `{"publish_id":"${publish_id}","publish_type":"DIRECT_POST","post_id":${post?.id}}`,
  );
});
