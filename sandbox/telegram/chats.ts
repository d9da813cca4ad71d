import { drawAvatar } from "../core/users";
import { BotError, badRequest } from "./request";
import { BOT, type Chat, chatOf, isOwner, type TelegramState, userId } from "./state";

type Text = Record<string, string>;

/**
 * A chat that the bot can find: by id after it has met the chat, or by a public @username.
 * @throws BotError
 */
export function findChat(state: TelegramState, chatId: string | undefined): Chat {
  if (!chatId) throw badRequest("chat_id is empty");
  const chat = chatId.startsWith("@")
    ? state.chats.values().find(({ username }) => username?.toLowerCase() === chatId.slice(1).toLowerCase())
    : /^-?\d+$/.test(chatId)
      ? chatOf(state, Number(chatId))
      : undefined;
  if (!chat || (chat.bot === "none" && !chat.username)) throw badRequest("chat not found");
  if (chat.movedTo !== undefined) {
    const moved = { migrate_to_chat_id: chat.movedTo };
    throw new BotError(400, "Bad Request: group chat was upgraded to a supergroup chat", moved);
  }
  return chat;
}

/**
 * A chat that the bot is a member of.
 * @throws BotError whose text depends on how the bot left the chat
 */
export function joinedChat(state: TelegramState, chatId: string | undefined): Chat {
  const chat = findChat(state, chatId);
  if (chat.bot === "kicked") throw new BotError(403, `Forbidden: bot was kicked from the ${chat.type} chat`);
  if (chat.bot === "none" || chat.bot === "left")
    throw new BotError(403, `Forbidden: bot is not a member of the ${chat.type} chat`);
  return chat;
}

/**
 * A chat in which the bot may send the given kinds of content (`text messages`, `photos`, `videos` …).
 * @throws BotError
 */
export function writableChat(state: TelegramState, chatId: string | undefined, what: string[] = []): Chat {
  const chat = joinedChat(state, chatId);
  const denied = what.find((kind) => chat.denied?.includes(kind));
  if (denied) throw badRequest(`not enough rights to send ${denied} to the chat`);
  if (chat.type === "channel" && (chat.bot !== "administrator" || !chat.canPost)) {
    throw badRequest("need administrator rights in the channel chat");
  }
  return chat;
}

export function getChat(state: TelegramState, text: Text) {
  const chat = findChat(state, text.chat_id);
  if (chat.bot === "kicked" || (chat.bot === "left" && !chat.username)) joinedChat(state, text.chat_id);
  return {
    ...presentChat(chat),
    ...(chat.type === "group" || chat.type === "supergroup" ? { permissions: sendingRights(chat, "group") } : {}),
    ...(chat.username ? { active_usernames: [chat.username] } : {}),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
    },
  };
}

export function getChatMember(state: TelegramState, text: Text) {
  const chat = joinedChat(state, text.chat_id);
  const id = Number(text.user_id);
  if (id === BOT.id) return presentBotMember(chat);
  if (isOwner(chat, id)) {
    const user = presentUser(chat.owner);
    return chat.type === "private" ? { user, status: "member" } : { user, status: "creator", is_anonymous: false };
  }
  const person = state.world.users.list("telegram").find(({ name }) => userId(name) === id);
  if (!person) throw badRequest("user not found");
  return { user: presentUser(person.name), status: "left" };
}

export function getChatAdministrators(state: TelegramState, text: Text) {
  const chat = joinedChat(state, text.chat_id);
  if (chat.type === "private") throw badRequest("there are no administrators in the private chat");
  const owner = { user: presentUser(chat.owner), status: "creator", is_anonymous: false };
  return chat.bot === "administrator" ? [owner, presentBotMember(chat)] : [owner];
}

export function getMe() {
  return {
    ...BOT_USER,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  };
}

/** `getUserProfilePhotos` for a user that the bot has met. */
export async function getUserProfilePhotos(state: TelegramState, text: Text) {
  const person = state.world.users.list("telegram").find(({ name }) => userId(name) === Number(text.user_id));
  if (!person) throw badRequest("user not found");
  const sizes = await Promise.all([160, 320, 640].map((pixels) => profilePhoto(state, person.name, pixels)));
  return { total_count: 1, photos: [sizes] };
}

async function profilePhoto(state: TelegramState, name: string, pixels: number) {
  const kept = state.world.blobs.store(await drawAvatar("telegram", name, pixels), "image/jpeg");
  const file_id = `AgACAvatar${name}-${pixels}`;
  if (!state.files.get(file_id))
    state.files.put(file_id, {
      ...kept,
      kind: "photo",
      width: pixels,
      height: pixels,
      duration: 0,
      name: `${name}.jpg`,
    });
  return {
    file_id,
    file_unique_id: `AQAD${kept.sha256.slice(0, 12)}`,
    width: pixels,
    height: pixels,
    file_size: kept.sizeBytes,
  };
}

const MAX_DOWNLOAD = 20 * 1_048_576;

export function getFile(state: TelegramState, text: Text) {
  const file = state.files.get(text.file_id ?? "");
  if (!file) throw badRequest("invalid file_id");
  if (file.sizeBytes > MAX_DOWNLOAD) throw badRequest("file is too big");
  const folder = file.kind === "photo" ? "photos" : file.kind === "video" ? "videos" : "documents";
  const ending = file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".")) : "";
  const file_path = `${folder}/${file.sha256}${/^\.[a-z0-9]{1,8}$/i.test(ending) ? ending : ""}`;
  return {
    file_id: text.file_id,
    file_unique_id: `AQAD${file.sha256.slice(0, 12)}`,
    file_size: file.sizeBytes,
    file_path,
  };
}

/** The bot as a `User`. */
export const BOT_USER = { id: BOT.id, is_bot: true, first_name: BOT.name, username: BOT.username };

export function presentUser(name: string) {
  return {
    id: userId(name),
    is_bot: false,
    first_name: name.charAt(0).toUpperCase() + name.slice(1),
    username: name,
    language_code: "en",
  };
}

/** The `Chat` object of messages and updates. */
export function presentChat({ id, type, title, username, owner }: Chat) {
  if (type === "private") {
    const { first_name } = presentUser(owner);
    return { id, first_name, username: owner, type };
  }
  return { id, title, ...(username ? { username } : {}), type };
}

/** A basic group restricts all members alike; a supergroup can restrict the bot alone (Bot API, ChatMemberRestricted). */
function sendingRights({ type, denied = [] }: Chat, of: Chat["type"]) {
  const may = (kind: string) => type !== of || !denied.includes(kind);
  return {
    can_send_messages: may("text messages"),
    can_send_photos: may("photos"),
    can_send_videos: may("videos"),
    can_send_other_messages: may("animations"),
  };
}

/** The bot as a `ChatMember`, whose fields depend on the status. */
export function presentBotMember(chat: Chat) {
  const { bot, canPost, type, denied = [] } = chat;
  if (bot === "member" && type === "supergroup" && denied.length > 0)
    return { user: BOT_USER, status: "restricted", is_member: true, ...sendingRights(chat, type), until_date: 0 };
  if (bot === "administrator")
    return { user: BOT_USER, status: "administrator", can_be_edited: false, ...rights(canPost) };
  if (bot === "kicked") return { user: BOT_USER, status: "kicked", until_date: 0 };
  return { user: BOT_USER, status: bot === "member" && type !== "channel" ? "member" : "left" };
}

function rights(canPost: boolean) {
  return {
    can_manage_chat: true,
    can_change_info: false,
    can_delete_messages: true,
    can_invite_users: true,
    can_restrict_members: false,
    can_promote_members: false,
    can_manage_video_chats: false,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_post_messages: canPost,
    can_edit_messages: canPost,
    is_anonymous: false,
  };
}
