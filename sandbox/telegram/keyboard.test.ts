import { describe, expect, test } from "vitest";
import { testSandbox } from "../testing/sandbox";
import { botOf, link, TOKEN } from "./testing";

const sandbox = testSandbox();
const bot = botOf(sandbox);
const keyboard = (...labels: string[]) => ({
  inline_keyboard: [labels.map((text) => ({ text, callback_data: `data-${text}` }))],
});
const chat = (account: string) => `${sandbox.url}/telegram/carillon_sandbox_bot/chat?account=${account}`;
const press = (account: string, message: number, data: string) =>
  fetch(`${sandbox.url}/telegram/carillon_sandbox_bot/chat`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ account, message: String(message), data }),
  });
type Query = { id: string; data: string; from: { username: string }; message: { message_id: number; text: string } };

/** The pressed buttons that the bot has not read yet. */
async function queries(): Promise<Query[]> {
  const updates: { update_id: number; callback_query?: Query }[] = (await bot.call("getUpdates")).result;
  await bot.call("getUpdates", { offset: (updates.at(-1)?.update_id ?? 0) + 1 });
  return updates.flatMap(({ callback_query }) => callback_query ?? []);
}

/** Links a user and asks them a question with two buttons. */
async function asked(account: string): Promise<{ userId: number; messageId: number }> {
  await fetch(`${sandbox.url}/telegram/carillon_sandbox_bot?start=code`, {
    method: "POST",
    body: new URLSearchParams({ account, decision: "start" }),
  });
  const updates: { message?: { from: { id: number } } }[] = (await bot.call("getUpdates")).result;
  const userId = updates.flatMap(({ message }) => message?.from.id ?? []).at(-1) ?? 0;
  await queries();
  const sent = await bot.call("sendMessage", { chat_id: userId, text: "Sure?", reply_markup: keyboard("Yes", "No") });
  const { message_id: messageId } = sent.result as { message_id: number };
  return { userId, messageId };
}

describe("a user who only presses Start", () => {
  test("sees the bot's question with its buttons, and a pressed button reaches the bot", async () => {
    const { messageId } = await asked("alice");
    const page = await (await fetch(chat("alice"))).text();
    expect(page).toContain("Sure?");
    expect(page.match(/<button name="data" value="[\w-]+">/g)).toHaveLength(2);
    expect((await press("alice", messageId, "data-No")).status).toBe(303);
    expect(await queries()).toMatchObject([
      { data: "data-No", from: { username: "alice" }, message: { message_id: messageId, text: "Sure?" } },
    ]);
    expect((await press("alice", messageId, "data-Maybe")).status).toBe(400);
    expect((await press("bob", messageId, "data-No")).status).toBe(400);
  });

  test("sees the bot's answer, and an edited message has no buttons", async () => {
    const { userId, messageId } = await asked("bob");
    await press("bob", messageId, "data-Yes");
    const [query] = await queries();
    const answer = { callback_query_id: query?.id, text: "Thank you" };
    expect(await bot.call("answerCallbackQuery", answer)).toEqual({ ok: true, result: true });
    const edit = { chat_id: userId, message_id: messageId, text: "Done" };
    expect((await bot.call("editMessageText", edit)).result).toMatchObject({ message_id: messageId, text: "Done" });
    const page = await (await fetch(chat("bob"))).text();
    expect([page.includes("Thank you"), page.includes("Done"), page.includes("<button")]).toEqual([true, true, false]);
    expect(await bot.call("editMessageText", edit)).toMatchObject({
      error_code: 400,
      description: expect.stringContaining("message is not modified"),
    });
    expect((await press("bob", messageId, "data-Yes")).status).toBe(400);
  });

  test("editMessageReplyMarkup removes the buttons and keeps the text", async () => {
    const { userId, messageId } = await asked("carol");
    const edited = await bot.call("editMessageReplyMarkup", { chat_id: userId, message_id: messageId });
    expect(edited.result).toMatchObject({ text: "Sure?" });
    expect(edited.result).not.toHaveProperty("reply_markup");
  });
});

test("a user who presses Allow answers the next question with its first button and gives the channels again", async () => {
  const { userId } = await link(bot, "dave");
  await bot.call("sendMessage", { chat_id: userId, text: "Sure?", reply_markup: keyboard("Yes", "No") });
  const updates: { callback_query?: Query; my_chat_member?: { chat: { title: string } } }[] = (
    await bot.call("getUpdates")
  ).result;
  expect(updates.flatMap((one) => one.callback_query?.data ?? one.my_chat_member?.chat.title ?? [])).toEqual([
    "data-Yes",
    "Dave's channel",
    "Dave's private channel",
  ]);
  await bot.call("sendMessage", { chat_id: userId, text: "Sure?", reply_markup: keyboard("Yes", "No") });
  await queries();
  expect(await queries()).toEqual([]);
});

test("a conversation with the bot is neither a post nor a publish call", async () => {
  const { userId } = await asked("erin");
  expect((await sandbox.posts("telegram")).filter(({ chatId }) => chatId === String(userId))).toEqual([]);
  const [call] = (await sandbox.calls("telegram")).filter(({ path }) => path.endsWith("/sendMessage")).slice(-1);
  expect(call?.operation).toBe("other");
});

test.each([
  [{ inline_keyboard: [[{ text: "Yes", callback_data: "a".repeat(65) }]] }, "BUTTON_DATA_INVALID"],
  [{ inline_keyboard: [[{ text: "Yes" }]] }, "text buttons are unallowed"],
  [{ inline_keyboard: [[{ text: "", callback_data: "a" }]] }, "must be non-empty"],
  [{ inline_keyboard: "Yes" }, "object expected as reply markup"],
])("refuses the keyboard %j", async (reply_markup, problem) => {
  const { userId } = await asked("frank");
  expect(await bot.call("sendMessage", { chat_id: userId, text: "Sure?", reply_markup })).toMatchObject({
    error_code: 400,
    description: expect.stringContaining(problem),
  });
});

test("an unknown query and an unknown message return 400", async () => {
  const { userId } = await asked("grace");
  expect((await bot.call("answerCallbackQuery", { callback_query_id: "1" })).error_code).toBe(400);
  expect((await bot.call("editMessageText", { chat_id: userId, message_id: 99, text: "x" })).error_code).toBe(400);
  const answer = await fetch(`${sandbox.url}/telegram/bot${TOKEN}/sendMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(answer.status).toBe(400);
});
