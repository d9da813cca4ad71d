import { type Call, hasFault, type Operation } from "../core/network";
import { getChat, getChatAdministrators, getChatMember, getFile, getMe, getUserProfilePhotos } from "./chats";
import { deleteMessage } from "./deliver";
import { answerCallbackQuery, editMessageReplyMarkup, editMessageText } from "./keyboard";
import type { Parameters } from "./request";
import { sendFile, sendMediaGroup, sendMessage, uploadStickerFile } from "./send";
import type { TelegramState } from "./state";
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from "./updates";

type Method = {
  operation: Operation | ((parameters: Parameters) => Operation);
  run(state: TelegramState, call: Call, parameters: Parameters): unknown;
};

const sendingOf = (call: Call) => ({
  account(name: string) {
    call.get("entry").account = name;
  },
});

/** The supported Bot API methods. Names are case-insensitive, as at Telegram. */
const METHODS: Record<string, Method> = {
  getMe: { operation: "profile", run: () => getMe() },
  getUserProfilePhotos: { operation: "profile", run: (state, _, { text }) => getUserProfilePhotos(state, text) },
  getFile: { operation: "profile", run: (state, _, { text }) => getFile(state, text) },
  getUpdates: { operation: "token", run: (state, call, { text }) => getUpdates(state, call, text) },
  setWebhook: { operation: "other", run: (state, _, { text }) => setWebhook(state, text) },
  deleteWebhook: { operation: "other", run: (state, _, { text }) => deleteWebhook(state, text) },
  getWebhookInfo: { operation: "other", run: (state) => getWebhookInfo(state) },
  getChat: { operation: "destinations", run: (state, _, { text }) => getChat(state, text) },
  getChatMember: { operation: "destinations", run: (state, _, { text }) => getChatMember(state, text) },
  getChatAdministrators: { operation: "destinations", run: (state, _, { text }) => getChatAdministrators(state, text) },
  sendMessage: {
    // The ids of private chats are positive. A conversation with a user publishes nothing.
    operation: ({ text }) => (Number(text.chat_id) > 0 ? "other" : "publish"),
    run: (state, call, parameters) => sendMessage(state, sendingOf(call), parameters),
  },
  sendPhoto: {
    operation: "publish",
    run: (state, call, parameters) => sendFile(state, sendingOf(call), parameters, "photo"),
  },
  sendVideo: {
    operation: "publish",
    async run(state, call, parameters) {
      const message = await sendFile(state, sendingOf(call), parameters, "video");
      // For a video that is still being processed, Telegram returns the message id 0.
      return hasFault(call, "processing_fails") ? { ...message, message_id: 0 } : message;
    },
  },
  sendAnimation: {
    operation: "publish",
    run: (state, call, parameters) => sendFile(state, sendingOf(call), parameters, "animation"),
  },
  sendDocument: {
    operation: "publish",
    run: (state, call, parameters) => sendFile(state, sendingOf(call), parameters, "document"),
  },
  uploadStickerFile: { operation: "upload", run: (state, _, parameters) => uploadStickerFile(state, parameters) },
  sendMediaGroup: {
    operation: "publish",
    run: (state, call, parameters) => sendMediaGroup(state, sendingOf(call), parameters),
  },
  answerCallbackQuery: { operation: "other", run: (state, _, { text }) => answerCallbackQuery(state, text) },
  editMessageText: { operation: "other", run: (state, _, { text }) => editMessageText(state, text) },
  editMessageReplyMarkup: { operation: "other", run: (state, _, { text }) => editMessageReplyMarkup(state, text) },
  deleteMessage: { operation: "delete", run: (state, _, { text }) => deleteMessage(state, text) },
};

const byName = new Map(Object.entries(METHODS).map(([name, method]) => [name.toLowerCase(), method]));

export function methodNamed(name: string | undefined): Method | undefined {
  return byName.get((name ?? "").toLowerCase());
}
