import { bearer, inQuery, JPEG, MP4, type Sent, type Shape } from "./shape";

const threadsReady = (container: string): Sent => ({
  call: `GET /threads/v1.0/{${container}}`,
  query: { fields: "status,error_message", ...inQuery },
  until: ["status", "FINISHED"],
});

export const threads: Shape[] = [
  {
    network: "threads",
    by: "Postiz",
    what: "text",
    calls: [
      {
        call: "POST /threads/v1.0/{user}/threads",
        multipart: { media_type: "TEXT", text: "words", access_token: "{token}" },
        keep: { id: "id" },
      },
      threadsReady("id"),
      {
        call: "POST /threads/v1.0/{user}/threads_publish",
        query: { creation_id: "{id}", ...inQuery },
        keep: { post: "id" },
      },
      { call: "GET /threads/v1.0/{post}", query: { fields: "id,permalink", ...inQuery } },
    ],
    shows: { text: "words", media: [] },
  },
  {
    network: "threads",
    by: "Postiz",
    what: "text and a first reply",
    calls: [
      {
        call: "POST /threads/v1.0/{user}/threads",
        multipart: { media_type: "TEXT", text: "words", access_token: "{token}" },
        keep: { id: "id" },
      },
      threadsReady("id"),
      {
        call: "POST /threads/v1.0/{user}/threads_publish",
        query: { creation_id: "{id}", ...inQuery },
        keep: { post: "id" },
      },
      {
        call: "POST /threads/v1.0/{user}/threads",
        multipart: { media_type: "TEXT", text: "first", access_token: "{token}", reply_to_id: "{post}" },
        keep: { reply: "id" },
      },
      threadsReady("reply"),
      { call: "POST /threads/v1.0/{user}/threads_publish", query: { creation_id: "{reply}", ...inQuery } },
    ],
    shows: { text: "first", media: [], isReply: true },
  },
  {
    network: "threads",
    by: "Postiz",
    what: "carousel",
    calls: [
      {
        call: "POST /threads/v1.0/{user}/threads",
        query: { image_url: "{picture}", is_carousel_item: "true", media_type: "IMAGE", text: "both", ...inQuery },
        keep: { one: "id" },
      },
      {
        call: "POST /threads/v1.0/{user}/threads",
        query: { video_url: "{video}", is_carousel_item: "true", media_type: "VIDEO", text: "both", ...inQuery },
        keep: { two: "id" },
      },
      threadsReady("one"),
      threadsReady("two"),
      {
        call: "POST /threads/v1.0/{user}/threads",
        query: { text: "both", media_type: "CAROUSEL", children: "{one},{two}", ...inQuery },
        keep: { all: "id" },
      },
      threadsReady("all"),
      { call: "POST /threads/v1.0/{user}/threads_publish", query: { creation_id: "{all}", ...inQuery } },
    ],
    shows: { text: "both", media: [JPEG, MP4] },
  },
  {
    network: "threads",
    by: "post-for-me",
    what: "picture",
    calls: [
      {
        call: "POST /threads/v1.0/me/threads",
        headers: bearer,
        json: { media_type: "IMAGE", image_url: "{picture}", text: "words" },
        keep: { id: "id" },
      },
      threadsReady("id"),
      { call: "POST /threads/v1.0/me/threads_publish", query: { creation_id: "{id}", ...inQuery } },
    ],
    shows: { text: "words", media: [JPEG] },
  },
];
