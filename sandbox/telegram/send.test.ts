import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jpeg, png, testMediaServer } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { botOf, link, TOKEN } from "./testing";

const sandbox = testSandbox();
const bot = botOf(sandbox);
const web = testMediaServer();
let chats: Awaited<ReturnType<typeof link>>;
beforeAll(async () => {
  chats = await link(bot);
});
beforeEach(() => sandbox.control("POST", "reset"));

describe("chats", () => {
  test("getMe, getChat and getChatMember describe the bot, its channels and their owner", async () => {
    expect((await bot.call("getMe")).result).toMatchObject({
      id: 1_000_000_001,
      username: "carillon_sandbox_bot",
      is_bot: true,
    });
    expect((await bot.call("getChat", { chat_id: chats.privateId })).result).toMatchObject({
      id: chats.privateId,
      type: "channel",
      title: "Alice's private channel",
    });
    expect(String(chats.privateId)).toMatch(/^-100\d{10}$/);
    const member = async (user_id: number) =>
      (await bot.call("getChatMember", { chat_id: chats.publicId, user_id })).result;
    expect(await member(chats.userId)).toMatchObject({ status: "creator" });
    expect(await member(1_000_000_001)).toMatchObject({ status: "administrator", can_post_messages: true });
  });

  test("a user's profile photo can be downloaded through getFile", async () => {
    const { photos } = (await bot.call("getUserProfilePhotos", { user_id: chats.userId })).result as {
      photos: { file_id: string }[][];
    };
    const { file_path } = (await bot.call("getFile", { file_id: photos[0]?.[0]?.file_id })).result;
    const picture = await fetch(`${sandbox.url}/telegram/file/bot${TOKEN}/${file_path}`);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(0, 3)
        .toString("hex"),
    ).toBe("ffd8ff");
  });

  test("an unknown channel is 400, one that removed the bot is 403", async () => {
    expect(await bot.call("sendMessage", { chat_id: -1_001_234_567_890, text: "a" })).toEqual({
      ok: false,
      error_code: 400,
      description: "Bad Request: chat not found",
    });
    const bob = await link(bot, "bob");
    expect((await sandbox.control("POST", "telegram/remove-bot", { chatId: String(bob.publicId) })).status).toBe(204);
    expect(await bot.call("sendMessage", { chat_id: bob.publicId, text: "a" })).toEqual({
      ok: false,
      error_code: 403,
      description: "Forbidden: bot was kicked from the channel chat",
    });
    expect((await bot.call("getUpdates")).result).toMatchObject([
      { my_chat_member: { new_chat_member: { status: "kicked" } } },
    ]);
  });
});

describe("messages", () => {
  test("trims text, detects entities in UTF-16 units and accepts duplicates", async () => {
    const send = () =>
      bot.call("sendMessage", { chat_id: chats.publicId, text: "  👋 see https://example.com #now  " });
    const first = (await send()).result as { message_id: number };
    expect(first).toMatchObject({
      text: "👋 see https://example.com #now",
      chat: { username: "alice_news" },
      sender_chat: { id: chats.publicId },
      entities: [
        { type: "url", offset: 7, length: 19 },
        { type: "hashtag", offset: 27, length: 4 },
      ],
    });
    expect(((await send()).result as { message_id: number }).message_id).toBe(first.message_id + 1);
    expect(await sandbox.posts("telegram")).toMatchObject([
      {
        id: String(first.message_id),
        account: "alice",
        chatId: String(chats.publicId),
        text: "👋 see https://example.com #now",
        permalink: `https://t.me/alice_news/${first.message_id}`,
      },
      {},
    ]);
  });

  test("posts in a private channel have a t.me/c permalink", async () => {
    await bot.call("sendMessage", { chat_id: chats.privateId, text: "inside", disable_notification: true });
    const [post] = await sandbox.posts("telegram");
    expect(post?.permalink).toMatch(new RegExp(`^https://t.me/c/${String(chats.privateId).slice(4)}/\\d+$`));
    expect(post?.settings).toEqual({ disable_notification: true });
  });

  test("limits text to 4096 code points", async () => {
    expect((await bot.call("sendMessage", { chat_id: chats.publicId, text: "😀".repeat(4096) })).ok).toBe(true);
    expect(await bot.call("sendMessage", { chat_id: chats.publicId, text: "😀".repeat(4097) })).toMatchObject({
      description: "Bad Request: message is too long",
    });
    expect(await bot.call("sendMessage", { chat_id: chats.publicId, text: " \n " })).toMatchObject({
      description: "Bad Request: message text is empty",
    });
  });

  test("a reply needs an existing message", async () => {
    const { message_id } = (await bot.call("sendMessage", { chat_id: chats.publicId, text: "one" })).result;
    const reply = await bot.call("sendMessage", {
      chat_id: chats.publicId,
      text: "two",
      reply_parameters: { message_id },
    });
    expect(reply.result).toMatchObject({ reply_to_message: { message_id } });
    expect((await sandbox.posts("telegram"))[1]?.replyTo).toBe(String(message_id));
    expect(
      await bot.call("sendMessage", { chat_id: chats.publicId, text: "x", reply_parameters: { message_id: 99_999 } }),
    ).toMatchObject({ description: "Bad Request: message to be replied not found" });
  });

  test("parses HTML and MarkdownV2, and rejects invalid markup", async () => {
    const html = await bot.call("sendMessage", {
      chat_id: chats.publicId,
      text: "<b>bold</b> &lt;3",
      parse_mode: "HTML",
    });
    expect(html.result).toMatchObject({ text: "bold <3", entities: [{ type: "bold", offset: 0, length: 4 }] });
    const markdown = await bot.call("sendMessage", {
      chat_id: chats.publicId,
      text: "*bold* and [link](https://a.io)\\.",
      parse_mode: "MarkdownV2",
    });
    expect(markdown.result).toMatchObject({
      text: "bold and link.",
      entities: [{ type: "bold" }, { type: "text_link", url: "https://a.io" }],
    });
    for (const [text, parse_mode] of [
      ["1. one", "MarkdownV2"],
      ["<font>a</font>", "HTML"],
    ]) {
      expect(await bot.call("sendMessage", { chat_id: chats.publicId, text, parse_mode })).toMatchObject({
        error_code: 400,
        description: expect.stringContaining("can't parse entities"),
      });
    }
  });

  test("takes formatting as entities, ignores the types that it finds itself, and rejects unknown and incomplete ones", async () => {
    const send = (entities: object[]) => bot.call("sendMessage", { chat_id: chats.publicId, text: " Ding", entities });
    const bold = { type: "bold", offset: 1, length: 2 };
    const sent = await send([bold, { type: "url", offset: 0, length: 3 }]);
    expect(sent.result).toMatchObject({ text: "Ding", entities: [{ type: "bold", offset: 0, length: 2 }] });
    expect((await sandbox.posts("telegram"))[0]?.settings.entities).toEqual([{ type: "bold", offset: 0, length: 2 }]);
    for (const wrong of [{ ...bold, type: "loud" }, { ...bold, type: "text_link" }, { type: "bold" }])
      expect(await send([wrong])).toMatchObject({
        error_code: 400,
        description: expect.stringContaining("can't parse entities"),
      });
  });

  test("marks protected messages, and rejects link preview options that are not an object", async () => {
    const send = (more: object) => bot.call("sendMessage", { chat_id: chats.publicId, text: "a", ...more });
    expect((await send({ protect_content: true })).result).toMatchObject({ has_protected_content: true });
    expect((await send({ link_preview_options: { is_disabled: true } })).ok).toBe(true);
    expect(await send({ link_preview_options: "[]" })).toMatchObject({ error_code: 400 });
  });

  test("deleting a message removes its post", async () => {
    const { message_id } = (await bot.call("sendMessage", { chat_id: chats.publicId, text: "gone" })).result;
    expect(await bot.call("deleteMessage", { chat_id: chats.publicId, message_id })).toEqual({
      ok: true,
      result: true,
    });
    expect(await sandbox.posts("telegram")).toEqual([]);
  });
});

describe("files", () => {
  test("an uploaded photo is returned in several sizes", async () => {
    const bytes = await jpeg(1000, 500);
    const { result } = await bot.multipart(
      "sendPhoto",
      { chat_id: String(chats.publicId), caption: "wide" },
      { photo: bytes },
    );
    expect(result).toMatchObject({
      caption: "wide",
      photo: expect.arrayContaining([expect.objectContaining({ width: 1000, height: 500 })]),
    });
    expect((await sandbox.posts("telegram"))[0]).toMatchObject({
      text: "wide",
      media: [{ sha256: createHash("sha256").update(bytes).digest("hex") }],
    });
  });

  test("sends a video by URL, and again by its file id", async () => {
    const video = web.serve("v.mp4", mp4(), "video/mp4");
    const { result } = await bot.call("sendVideo", { chat_id: chats.publicId, video });
    expect(result).toMatchObject({ video: { width: 720, height: 1280, duration: 5, mime_type: "video/mp4" } });
    const { file_id } = (result as { video: { file_id: string } }).video;
    expect((await bot.call("sendVideo", { chat_id: chats.publicId, video: file_id })).ok).toBe(true);
  });

  test("an album is several messages with one group id and one post", async () => {
    const media = [
      { type: "photo", media: "attach://one", caption: "both" },
      { type: "video", media: "attach://two" },
    ];
    const files = { one: await jpeg(), two: mp4() };
    const { result } = await bot.multipart(
      "sendMediaGroup",
      { chat_id: String(chats.publicId), media: JSON.stringify(media) },
      files,
    );
    const [first, second] = result as { message_id: number; media_group_id: string }[];
    expect([second?.message_id, second?.media_group_id]).toEqual([(first?.message_id ?? 0) + 1, first?.media_group_id]);
    const posts = await sandbox.posts("telegram");
    expect(posts).toMatchObject([
      { id: String(first?.message_id), text: "both", media: [{ type: "image/jpeg" }, { type: "video/mp4" }] },
    ]);
  });

  test.each<{ when: string; send: () => Promise<unknown>; says: string }>([
    {
      when: "a caption of 1025 characters",
      send: async () =>
        bot.multipart(
          "sendPhoto",
          { chat_id: String(chats.publicId), caption: "x".repeat(1025) },
          { photo: await jpeg() },
        ),
      says: "message caption is too long",
    },
    {
      when: "a photo of 21:1",
      send: async () =>
        bot.multipart("sendPhoto", { chat_id: String(chats.publicId) }, { photo: await jpeg(2100, 100) }),
      says: "PHOTO_INVALID_DIMENSIONS",
    },
    {
      when: "a photo that is not an image",
      send: async () => bot.multipart("sendPhoto", { chat_id: String(chats.publicId) }, { photo: Buffer.from("no") }),
      says: "IMAGE_PROCESS_FAILED",
    },
    {
      when: "a photo of more than 10 MB",
      send: async () =>
        bot.multipart("sendPhoto", { chat_id: String(chats.publicId) }, { photo: Buffer.alloc(10_485_761) }),
      says: "is too big for a photo; the maximum size is 10485760 bytes",
    },
    {
      when: "a URL that returns 404",
      send: async () => bot.call("sendPhoto", { chat_id: chats.publicId, photo: web.address("none") }),
      says: "failed to get HTTP URL content",
    },
    {
      when: "a URL with another content type",
      send: async () =>
        bot.call("sendPhoto", { chat_id: chats.publicId, photo: web.serve("t", await png(), "text/html") }),
      says: "wrong type of the web page content",
    },
    {
      when: "an unknown file id",
      send: async () => bot.call("sendPhoto", { chat_id: chats.publicId, photo: "AgACnone" }),
      says: "wrong file identifier/HTTP URL specified",
    },
    {
      when: "an album of eleven items",
      send: async () =>
        bot.call("sendMediaGroup", { chat_id: chats.publicId, media: Array(11).fill({ type: "photo", media: "a" }) }),
      says: "too many messages to send as an album",
    },
    {
      when: "a document among photos",
      send: async () =>
        bot.call("sendMediaGroup", {
          chat_id: chats.publicId,
          media: [
            { type: "photo", media: "a" },
            { type: "document", media: "b" },
          ],
        }),
      says: "document can't be mixed with other media types",
    },
    {
      when: "an animation in an album",
      send: async () =>
        bot.call("sendMediaGroup", {
          chat_id: chats.publicId,
          media: [
            { type: "animation", media: "a" },
            { type: "photo", media: "b" },
          ],
        }),
      says: "can't use the media of the specified type in the album",
    },
  ])("rejects $when", async ({ send, says }) => {
    expect(await send()).toMatchObject({ ok: false, error_code: 400, description: expect.stringContaining(says) });
    expect(await sandbox.posts("telegram")).toEqual([]);
  });
});
