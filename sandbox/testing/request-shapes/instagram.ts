import { inQuery, JPEG, MP4, type Sent, type Shape } from "./shape";

const instagramMedia = "POST /instagram/v20.0/{user}/media" as const;
const instagramPublish = "POST /instagram/v20.0/{user}/media_publish" as const;
const postizReady = (container: string): Sent => ({
  call: `GET /instagram/v20.0/{${container}}`,
  query: { ...inQuery, fields: "status_code,status" },
  until: ["status_code", "FINISHED"],
});
const postizPublish = (container: string): Sent => ({
  call: instagramPublish,
  query: { creation_id: `{${container}}`, ...inQuery, field: "id" },
});

export const instagram: Shape[] = [
  {
    network: "instagram",
    by: "Postiz",
    what: "picture",
    calls: [
      { call: instagramMedia, query: { image_url: "{picture}", ...inQuery, caption: "words" }, keep: { id: "id" } },
      postizReady("id"),
      postizPublish("id"),
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    network: "instagram",
    by: "Postiz",
    what: "reel",
    calls: [
      {
        call: instagramMedia,
        query: { video_url: "{video}", media_type: "REELS", thumb_offset: "0", ...inQuery, caption: "reel" },
        keep: { id: "id" },
      },
      postizReady("id"),
      postizPublish("id"),
    ],
    shows: { text: "reel", media: [MP4] },
  },
  {
    network: "instagram",
    by: "Postiz",
    what: "carousel",
    calls: [
      {
        call: instagramMedia,
        query: { image_url: "{picture}", is_carousel_item: "true", ...inQuery },
        keep: { one: "id" },
      },
      {
        call: instagramMedia,
        query: { video_url: "{video}", media_type: "VIDEO", thumb_offset: "0", is_carousel_item: "true", ...inQuery },
        keep: { two: "id" },
      },
      postizReady("one"),
      postizReady("two"),
      {
        call: instagramMedia,
        query: { caption: "both", media_type: "CAROUSEL", children: "{one},{two}", ...inQuery },
        keep: { all: "id" },
      },
      postizReady("all"),
      postizPublish("all"),
    ],
    shows: { text: "both", media: [JPEG, MP4] },
  },
  {
    network: "instagram",
    by: "Postiz",
    what: "story",
    calls: [
      {
        call: instagramMedia,
        query: { image_url: "{picture}", media_type: "STORIES", ...inQuery },
        keep: { id: "id" },
      },
      postizReady("id"),
      postizPublish("id"),
    ],
    shows: { text: "", media: [JPEG] },
  },
  {
    network: "instagram",
    by: "post-for-me",
    what: "reel",
    calls: [
      {
        call: instagramMedia,
        json: {
          video_url: "{video}",
          access_token: "{token}",
          caption: "reel",
          media_type: "REELS",
          share_to_feed: true,
        },
        keep: { id: "id" },
      },
      {
        call: "GET /instagram/v20.0/{id}",
        query: { fields: "status_code", ...inQuery },
        until: ["status_code", "FINISHED"],
      },
      { call: instagramPublish, json: { creation_id: "{id}", access_token: "{token}" } },
    ],
    shows: { text: "reel", media: [MP4] },
  },
];
