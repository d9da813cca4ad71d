import type { Rehearsal } from "../network";

const chat = { id: "{chat id}", type: "channel", title: "{title}" };
const message = { message_id: "{message id}", chat };
const answers = (method: string, result: unknown) => ({
  method: "POST",
  path: new RegExp(`/${method}$`),
  answer: { ok: true, result },
});

export const rehearsal: Rehearsal = [
  answers("getChat", chat),
  answers("getChatMember", { status: "creator" }),
  answers("sendMediaGroup", [message]),
  answers("send(Message|Photo|Animation|Video)", message),
];
