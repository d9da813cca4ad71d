import { BOT, type Chat, userId } from "./state";

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

/** The bot as a `ChatMember`, whose fields depend on the status. */
export function presentBotMember({ bot, canPost, type }: Chat) {
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
