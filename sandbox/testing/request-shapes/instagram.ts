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
const postForMeReady: Sent = {
  call: "GET /instagram/v20.0/{id}",
  query: { fields: "status_code", ...inQuery },
  until: ["status_code", "FINISHED"],
};

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
    what: "trial reel with a cover time, co-authors and a first comment",
    calls: [
      {
        call: instagramMedia,
        query: {
          video_url: "{video}",
          media_type: "REELS",
          thumb_offset: "2000",
          collaborators: '["bells","choir"]',
          trial_params: '{"graduation_strategy":"MANUAL"}',
          ...inQuery,
          caption: "reel",
        },
        keep: { id: "id" },
      },
      postizReady("id"),
      { ...postizPublish("id"), keep: { post: "id" } },
      { call: "POST /instagram/v20.0/{post}/comments", query: { message: "first", ...inQuery } },
    ],
    shows: { text: "first", media: [], isReply: true },
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
    what: "picture with co-authors, tagged people and a location",
    calls: [
      {
        call: instagramMedia,
        json: {
          image_url: "{picture}",
          caption: "words",
          access_token: "{token}",
          collaborators: ["bells"],
          product_tags: [],
          user_tags: [{ username: "choir", x: 0.5, y: 0.25 }],
          location_id: "110506962309835",
        },
        keep: { id: "id" },
      },
      postForMeReady,
      { call: instagramPublish, json: { creation_id: "{id}", access_token: "{token}" } },
    ],
    shows: { text: "words", media: [JPEG], settings: { collaborators: '["bells"]', location_id: "110506962309835" } },
  },
  {
    network: "instagram",
    by: "post-for-me",
    what: "carousel with co-authors and a location",
    calls: [
      {
        call: instagramMedia,
        json: {
          image_url: "{picture}",
          is_carousel_item: true,
          access_token: "{token}",
          user_tags: [{ username: "choir", x: 0.5, y: 0.25 }],
          product_tags: [],
        },
        keep: { one: "id" },
      },
      {
        call: instagramMedia,
        json: { media_type: "VIDEO", video_url: "{video}", is_carousel_item: true, access_token: "{token}" },
        keep: { two: "id" },
      },
      postizReady("one"),
      postizReady("two"),
      {
        call: instagramMedia,
        json: {
          media_type: "CAROUSEL",
          children: ["{one}", "{two}"],
          caption: "both",
          access_token: "{token}",
          collaborators: ["bells"],
          location_id: "110506962309835",
        },
        keep: { id: "id" },
      },
      postForMeReady,
      { call: instagramPublish, json: { creation_id: "{id}", access_token: "{token}" } },
    ],
    shows: { text: "both", media: [JPEG, MP4], settings: { collaborators: '["bells"]' } },
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
          trial_params: { graduation_strategy: "SS_PERFORMANCE" },
          thumb_offset: 2000,
          share_to_feed: true,
          audio_name: "Bells",
        },
        keep: { id: "id" },
      },
      postForMeReady,
      { call: instagramPublish, json: { creation_id: "{id}", access_token: "{token}" } },
    ],
    shows: { text: "reel", media: [MP4] },
  },
];
