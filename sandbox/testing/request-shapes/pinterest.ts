import { bearer, JPEG, MP4, type Sent, type Shape } from "./shape";

const registerPinterestVideo: Sent = {
  call: "POST /pinterest/v5/media",
  headers: bearer,
  json: { media_type: "video" },
  keep: { upload: "upload_url", fields: "upload_parameters", id: "media_id" },
};
const pinterestVideoReady: Sent = {
  call: "GET /pinterest/v5/media/{id}",
  headers: bearer,
  until: ["status", "succeeded"],
};

export const pinterest: Shape[] = [
  {
    network: "pinterest",
    by: "Postiz",
    what: "picture",
    calls: [
      {
        call: "POST /pinterest/v5/pins",
        headers: bearer,
        json: {
          link: "https://example.com/",
          title: "Bells",
          description: "words",
          dominant_color: "#6E7874",
          board_id: "{board}",
          media_source: { source_type: "image_url", url: "{picture}" },
        },
      },
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    network: "pinterest",
    by: "Postiz",
    what: "carousel",
    calls: [
      {
        call: "POST /pinterest/v5/pins",
        headers: bearer,
        json: {
          title: "Bells",
          description: "both",
          board_id: "{board}",
          media_source: { source_type: "multiple_image_urls", items: [{ url: "{picture}" }, { url: "{picture}" }] },
        },
      },
    ],
    shows: { text: "both", media: [JPEG, JPEG] },
  },
  {
    network: "pinterest",
    by: "Postiz",
    what: "video with a cover",
    calls: [
      registerPinterestVideo,
      { call: "POST {upload}", fieldsOf: "fields", bytes: "video" },
      pinterestVideoReady,
      {
        call: "POST /pinterest/v5/pins",
        headers: bearer,
        json: {
          description: "film",
          board_id: "{board}",
          media_source: { source_type: "video_id", media_id: "{id}", cover_image_url: "{picture}" },
        },
      },
    ],
    shows: { text: "film", media: [MP4] },
  },
  {
    network: "pinterest",
    by: "post-for-me",
    what: "video with a frame as its cover",
    calls: [
      registerPinterestVideo,
      { call: "POST {upload}", fieldsOf: "fields", bytes: "video" },
      pinterestVideoReady,
      {
        call: "POST /pinterest/v5/pins",
        headers: bearer,
        json: {
          board_id: "{board}",
          title: "Bells",
          description: "film",
          media_source: { source_type: "video_id", media_id: "{id}", cover_image_key_frame_time: 0 },
        },
      },
    ],
    shows: { text: "film", media: [MP4] },
  },
];
