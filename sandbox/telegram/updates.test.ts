import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testSandbox } from "../testing/sandbox";
import { botOf, link } from "./testing";

const sandbox = testSandbox();
const bot = botOf(sandbox);

test("the page shows both channels selected; an invalid code returns 400", async () => {
  const text = await (await fetch(`${sandbox.url}/telegram/carillon_sandbox_bot?start=abc`)).text();
  expect(text).toContain("Sandbox Telegram");
  expect(text.match(/name="channel" value="\w+" checked/g)).toHaveLength(2);
  expect((await fetch(`${sandbox.url}/telegram/carillon_sandbox_bot?start=a%20b`)).status).toBe(400);
});

test("Deny sends no updates", async () => {
  const body = new URLSearchParams({ account: "alice", decision: "deny" });
  expect((await fetch(`${sandbox.url}/telegram/carillon_sandbox_bot?start=no`, { method: "POST", body })).status).toBe(
    200,
  );
  expect((await bot.call("getUpdates")).result).toEqual([]);
});

test("Allow sends /start with the code and the bot's new rights in both channels; the offset acknowledges", async () => {
  const page = await bot.start("Code_1-x");
  expect(await page.text()).toContain("Done, go back");
  const { result } = await bot.call("getUpdates");
  expect(result).toMatchObject([
    {
      message: {
        text: "/start Code_1-x",
        from: { username: "alice", is_bot: false },
        chat: { type: "private" },
        entities: [{ type: "bot_command", offset: 0, length: 6 }],
      },
    },
    {
      my_chat_member: {
        chat: { type: "channel", title: "Alice's channel", username: "alice_news" },
        old_chat_member: { status: "left" },
        new_chat_member: { status: "administrator", can_post_messages: true },
      },
    },
    { my_chat_member: { chat: { title: "Alice's private channel" }, from: { username: "alice" } } },
  ]);
  const [, , last] = result as { update_id: number; my_chat_member: { chat: object } }[];
  expect(last?.my_chat_member.chat).not.toHaveProperty("username");
  expect((await bot.call("getUpdates")).result).toHaveLength(3);
  expect((await bot.call("getUpdates", { offset: (last?.update_id ?? 0) + 1 })).result).toEqual([]);
});

test("sends only the selected channels and the allowed update types", async () => {
  await bot.call("getUpdates", { offset: -1, allowed_updates: ["my_chat_member"] });
  await bot.start("x", "bob", ["private"]);
  const { result } = await bot.call("getUpdates", { allowed_updates: ["message", "my_chat_member"] });
  expect(result).toMatchObject([{ my_chat_member: { chat: { title: "Bob's private channel" } } }]);
  await link(bot, "bob");
});

test("an update wakes a long poll; a second poller ends the first with 409", async () => {
  const first = bot.call("getUpdates", { timeout: 50 });
  await expect.poll(async () => (await sandbox.calls("telegram")).at(-1)?.status).toBe(0);
  const second = bot.call("getUpdates", { timeout: 50 });
  expect(await first).toMatchObject({
    ok: false,
    error_code: 409,
    description: expect.stringContaining("terminated by other getUpdates request"),
  });
  await bot.start("wake", "carol");
  expect((await second).result).not.toEqual([]);
  await link(bot, "carol");
});

test("a long poll follows the sandbox's clock", async () => {
  const poll = bot.call("getUpdates", { timeout: 50 });
  await expect.poll(async () => (await sandbox.calls("telegram")).at(-1)?.status).toBe(0);
  await sandbox.advance(51);
  expect(await poll).toEqual({ ok: true, result: [] });
});

test("updates are kept for 24 hours", async () => {
  await bot.start("old", "dave");
  await sandbox.advance(86_401);
  expect((await bot.call("getUpdates")).result).toEqual([]);
});

test("a webhook gets the secret and retries until 2xx, and getUpdates returns 409 meanwhile", async () => {
  const received: { secret: unknown; body: { update_id: number } }[] = [];
  const statuses = [500, 200, 200, 200];
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    received.push({ secret: request.headers["x-telegram-bot-api-secret-token"], body });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  expect(await bot.call("setWebhook", { url, secret_token: "s3cret" })).toEqual({ ok: true, result: true });
  expect(await bot.call("getUpdates")).toMatchObject({ error_code: 409 });
  await bot.start("hook", "erin");
  await expect.poll(() => received.length).toBe(1);
  await expect
    .poll(async () => {
      await sandbox.advance(2);
      return received.length;
    })
    .toBe(4);
  const ids = received.map(({ body }) => body.update_id);
  expect([ids[0] === ids[1], new Set(ids).size, received[0]?.secret]).toEqual([true, 3, "s3cret"]);
  await bot.call("deleteWebhook");
  expect((await bot.call("getUpdates")).ok).toBe(true);
  server.closeAllConnections();
  server.close();
});

test.each([
  { path: "botwrong/getMe", code: 404, says: "Not Found" },
  { path: "bot1000000001:other/getMe", code: 401, says: "Unauthorized" },
  { path: "bot1000000001:sandbox-telegram-bot/getNothing", code: 404, says: "Not Found: method not found" },
])("$path returns $code", async ({ path, code, says }) => {
  const answer = await fetch(`${sandbox.url}/telegram/${path}`);
  expect([answer.status, await answer.json()]).toEqual([code, { ok: false, error_code: code, description: says }]);
});
