import { randomToken } from "../core/ids";
import { inspectMedia } from "../core/media";
import { chatForSending, deliver, type MessageText } from "./deliver";
import { formatted } from "./formatting";
import { type FileKind, inputFile, presentFile, type SentFile } from "./input-file";
import { inlineKeyboard } from "./keyboard";
import { badRequest, jsonParameter, type Parameters } from "./request";
import { answerAsAgreed } from "./start";
import { type TelegramState, userId } from "./state";

export type CallRecorder = { account(name: string): void };
type Text = Record<string, string>;

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

/** `sendMessage`: 1 to 4096 code points after parsing and trimming. */
export function sendMessage(state: TelegramState, sending: CallRecorder, { text }: Parameters) {
  const words = formatted(text, "text", "entities");
  if (words.text === "") throw badRequest("message text is empty");
  if ([...words.text].length > MAX_TEXT) throw badRequest("message is too long");
  const chat = chatForSending(state, sending, text, 1, ["text messages"]);
  const keyboard = inlineKeyboard(text);
  const fields = {
    text: words.text,
    ...(words.entities.length > 0 ? { entities: words.entities } : {}),
    ...(keyboard ? { reply_markup: keyboard } : {}),
  };
  return state.world.transaction(() => {
    const [message] = deliver(state, chat, text, [{ fields }], words);
    if (chat.type === "private") answerAsAgreed(state, chat.owner, Number(message?.message_id));
    return message;
  });
}

/** `sendPhoto`, `sendVideo`, `sendAnimation`, `sendDocument`. */
export async function sendFile(state: TelegramState, sending: CallRecorder, parameters: Parameters, kind: FileKind) {
  const words = caption(parameters.text);
  const sent = await inputFile(state, parameters, kind, kind);
  const cover = kind === "video" && parameters.text.cover !== undefined;
  if (cover) await inputFile(state, parameters, "cover", "photo", parameters.text.cover);
  const chat = chatForSending(state, sending, parameters.text, 1, [`${kind}s`]);
  return deliver(state, chat, parameters.text, [contentOf(sent, words)], words)[0];
}

const STICKER_SIDE = 512;
const MAX_STICKER_BYTES = 512 * 1024;

/** `uploadStickerFile` with a static sticker, which is in no chat. Source: core.telegram.org/stickers. */
export async function uploadStickerFile(state: TelegramState, { text, files }: Parameters) {
  if (text.sticker_format !== "static") throw badRequest("invalid sticker format specified");
  const person = state.world.users.list("telegram").find(({ name }) => userId(name) === Number(text.user_id));
  if (!person) throw badRequest("user not found");
  const upload = files.get("sticker");
  if (!upload) throw badRequest("there is no sticker in the request");
  const info = await inspectMedia(upload.bytes);
  if (info.kind !== "image" || !["image/png", "image/webp"].includes(info.type)) throw badRequest("STICKER_PNG_NOPNG");
  if (Math.max(info.width, info.height) !== STICKER_SIDE) throw badRequest("STICKER_PNG_DIMENSIONS");
  if (upload.bytes.byteLength > MAX_STICKER_BYTES) throw badRequest("STICKER_FILE_INVALID");
  const { sha256, sizeBytes } = state.world.blobs.store(upload.bytes, info.type);
  return { file_id: `BQAC${randomToken(42)}`, file_unique_id: `AQAD${sha256.slice(0, 12)}`, file_size: sizeBytes };
}

type Item = { type: FileKind; media: string; words: MessageText; above: boolean };

/** `sendMediaGroup`: 2 to 10 photos and videos, or only documents. */
export async function sendMediaGroup(state: TelegramState, sending: CallRecorder, parameters: Parameters) {
  const items = albumOf(parameters.text);
  const sent: SentFile[] = [];
  for (const [index, item] of items.entries()) {
    sent.push(await inputFile(state, parameters, `media[${index}]`, item.type, item.media));
  }
  const kinds = items.map(({ type }) => `${type}s`);
  const chat = chatForSending(state, sending, parameters.text, items.length, kinds);
  const contents = sent.map((file, index) => contentOf(file, items[index]?.words));
  return deliver(
    state,
    chat,
    parameters.text,
    contents,
    items.find(({ words }) => words.text)?.words ?? { text: "", entities: [] },
  );
}

function albumOf(text: Text): Item[] {
  const media = jsonParameter(text, "media");
  if (!Array.isArray(media)) throw badRequest("can't parse media JSON object");
  const values: unknown[] = media;
  if (values.length === 0) throw badRequest("there are no messages to send");
  if (values.length > 10) throw badRequest("too many messages to send as an album");
  const items = values.map(albumItem);
  const documents = items.filter(({ type }) => type === "document").length;
  if (documents > 0 && documents < items.length) throw badRequest("document can't be mixed with other media types");
  if (items.some(({ above }) => above !== items[0]?.above))
    throw badRequest("show_caption_above_media must be the same for all items");
  if (items.length < 2) throw badRequest("an album has 2 to 10 items");
  return items;
}

function albumItem(value: unknown): Item {
  const fields = Object.fromEntries(
    Object.entries((value ?? {}) as Record<string, unknown>).map(([name, part]) => [
      name,
      typeof part === "string" ? part : JSON.stringify(part),
    ]),
  );
  const { type, media } = fields;
  if (type !== "photo" && type !== "video" && type !== "document")
    throw badRequest("can't use the media of the specified type in the album");
  if (!media) throw badRequest("media not found");
  return { type, media, words: caption(fields), above: fields.show_caption_above_media === "true" };
}

function caption(text: Text): MessageText {
  const words = formatted(text, "caption", "caption_entities");
  if ([...words.text].length > MAX_CAPTION) throw badRequest("message caption is too long");
  return words;
}

function contentOf(sent: SentFile, words?: MessageText) {
  const { type, sizeBytes, sha256 } = sent.file;
  const entities = words && words.entities.length > 0 ? { caption_entities: words.entities } : {};
  return {
    fields: { ...presentFile(sent), ...(words?.text ? { caption: words.text, ...entities } : {}) },
    file: { type, sizeBytes, sha256 },
  };
}
