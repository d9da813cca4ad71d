import { bearer, type Sent, type Shape } from "./shape";

/** Both services send posts with twitter-api-v2, which sends its argument as JSON. */
const xPost = (json: object, keep?: Sent["keep"]): Sent => ({ call: "POST /x/2/tweets", headers: bearer, json, keep });

export const x: Shape[] = [
  {
    network: "x",
    by: "Postiz",
    what: "text that few may answer, with labels, and a first reply",
    calls: [
      xPost(
        { text: "words", reply_settings: "mentionedUsers", made_with_ai: true, paid_partnership: true },
        { id: "data.id" },
      ),
      xPost({ text: "first", reply: { in_reply_to_tweet_id: "{id}" } }),
    ],
    shows: { text: "first", media: [], isReply: true },
  },
  {
    network: "x",
    by: "post-for-me",
    what: "poll",
    calls: [
      xPost({ text: "which?", poll: { options: ["one", "two"], duration_minutes: 60 }, reply_settings: "following" }),
    ],
    shows: { text: "which?", media: [] },
  },
];
