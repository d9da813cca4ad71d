import { JPEG, MP4, type Shape } from "./shape";

export const telegram: Shape[] = [
  {
    network: "telegram",
    by: "Postiz",
    what: "text and an answer",
    calls: [
      {
        call: "POST /telegram/bot{token}/sendMessage",
        form: { parse_mode: "HTML", chat_id: "{chat}", text: "<b>words</b>" },
        keep: { first: "result.message_id" },
      },
      {
        call: "POST /telegram/bot{token}/sendMessage",
        form: { parse_mode: "HTML", reply_to_message_id: "{first}", chat_id: "{chat}", text: "words" },
      },
    ],
    shows: { text: "words", media: [], isReply: true },
  },
  {
    network: "telegram",
    by: "Postiz",
    what: "picture",
    calls: [
      {
        call: "POST /telegram/bot{token}/sendPhoto",
        query: { caption: "words", parse_mode: "HTML", chat_id: "{chat}", photo: "{picture}" },
      },
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    network: "telegram",
    by: "Postiz",
    what: "album",
    calls: [
      {
        call: "POST /telegram/bot{token}/sendMediaGroup",
        query: {
          chat_id: "{chat}",
          media:
            '[{"type":"photo","media":"{picture}","caption":"both","parse_mode":"HTML"},{"type":"video","media":"{video}","parse_mode":"HTML"}]',
        },
      },
    ],
    shows: { text: "both", media: [JPEG, MP4] },
  },
];
