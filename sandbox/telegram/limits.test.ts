import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jpeg, testMediaServer } from "../testing/media";
import { testSandbox } from "../testing/sandbox";
import { botOf, link } from "./testing";

const sandbox = testSandbox();
const bot = botOf(sandbox);
const web = testMediaServer();
let chats: Awaited<ReturnType<typeof link>>;
beforeAll(async () => {
  chats = await link(bot);
});
beforeEach(() => sandbox.control("POST", "reset"));

describe("limits", () => {
  test("limits a channel to 20 messages a minute, counting album items, then returns 429 with retry_after", async () => {
    for (let n = 0; n < 19; n++)
      expect((await bot.call("sendMessage", { chat_id: chats.publicId, text: `n ${n}` })).ok).toBe(true);
    const photo = web.serve("p.jpg", await jpeg(), "image/jpeg");
    const album = {
      chat_id: chats.publicId,
      media: [
        { type: "photo", media: photo },
        { type: "photo", media: photo },
      ],
    };
    const refused = await bot.call("sendMediaGroup", album);
    const seconds = refused.parameters?.retry_after ?? 0;
    expect(refused).toMatchObject({
      ok: false,
      error_code: 429,
      description: `Too Many Requests: retry after ${seconds}`,
    });
    await sandbox.advance(seconds);
    expect((await bot.call("sendMediaGroup", album)).ok).toBe(true);
  });

  test("rate_limit states its own seconds; drop_response keeps the message", async () => {
    await sandbox.fault({ network: "telegram", operation: "publish", fault: "rate_limit", afterSeconds: 7 });
    expect(await bot.call("sendMessage", { chat_id: chats.publicId, text: "a" })).toMatchObject({
      error_code: 429,
      parameters: { retry_after: 7 },
    });
    await sandbox.fault({ network: "telegram", operation: "publish", fault: "drop_response" });
    await expect(bot.call("sendMessage", { chat_id: chats.publicId, text: "lost" })).rejects.toThrow("fetch failed");
    expect((await sandbox.posts("telegram")).map(({ text }) => text)).toEqual(["lost"]);
  });

  test("a fault for * skips long polls", async () => {
    await sandbox.fault({ network: "telegram", operation: "*", fault: "http_500" });
    expect((await bot.call("getUpdates")).ok).toBe(true);
    expect(await bot.call("getMe")).toMatchObject({ error_code: 500 });
  });
});
