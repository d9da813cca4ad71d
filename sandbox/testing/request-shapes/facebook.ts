import { inQuery, JPEG, MP4, type Shape } from "./shape";

const facebookPage = (path: string) => `/facebook/v20.0/{page}/${path}`;
const oauth = { authorization: "OAuth {token}", file_url: "{video}" };

export const facebook: Shape[] = [
  {
    network: "facebook",
    by: "Postiz",
    what: "text",
    calls: [
      {
        call: `POST ${facebookPage("feed")}`,
        query: { ...inQuery, fields: "id,permalink_url" },
        json: { message: "words", published: true },
        keep: { id: "id" },
      },
    ],
    shows: { text: "words", media: [] },
  },
  {
    network: "facebook",
    by: "Postiz",
    what: "photos",
    calls: [
      {
        call: `POST ${facebookPage("photos")}`,
        query: inQuery,
        json: { url: "{picture}", published: false },
        keep: { one: "id" },
      },
      {
        call: `POST ${facebookPage("photos")}`,
        query: inQuery,
        json: { url: "{picture}", published: false },
        keep: { two: "id" },
      },
      {
        call: `POST ${facebookPage("feed")}`,
        query: { ...inQuery, fields: "id,permalink_url" },
        json: { attached_media: [{ media_fbid: "{one}" }, { media_fbid: "{two}" }], message: "album", published: true },
      },
    ],
    shows: { text: "album", media: [JPEG, JPEG] },
  },
  {
    network: "facebook",
    by: "Postiz",
    what: "video",
    calls: [
      {
        call: `POST ${facebookPage("videos")}`,
        query: { ...inQuery, fields: "id,permalink_url" },
        json: { file_url: "{video}", description: "film", published: true },
      },
    ],
    shows: { text: "film", media: [MP4] },
  },
  {
    network: "facebook",
    by: "Postiz",
    what: "video story",
    calls: [
      {
        call: `POST ${facebookPage("video_stories")}`,
        query: { upload_phase: "start", ...inQuery },
        keep: { id: "video_id", upload: "upload_url" },
      },
      { call: "POST {upload}", headers: oauth },
      {
        call: `POST ${facebookPage("video_stories")}`,
        query: { upload_phase: "finish", video_id: "{id}", ...inQuery },
      },
    ],
    shows: { text: "", media: [MP4] },
  },
  {
    network: "facebook",
    by: "Postiz",
    what: "photo story",
    calls: [
      {
        call: `POST ${facebookPage("photos")}`,
        query: inQuery,
        json: { url: "{picture}", published: false },
        keep: { id: "id" },
      },
      { call: `POST ${facebookPage("photo_stories")}`, query: { photo_id: "{id}", ...inQuery } },
    ],
    shows: { text: "", media: [JPEG] },
  },
  {
    network: "facebook",
    by: "Postiz",
    what: "link and a first comment",
    calls: [
      {
        call: `POST ${facebookPage("feed")}`,
        query: { ...inQuery, fields: "id,permalink_url" },
        json: { link: "https://example.com/", message: "see", published: true },
        keep: { id: "id" },
      },
      {
        call: "POST /facebook/v20.0/{id}/comments",
        query: { ...inQuery, fields: "id,permalink_url" },
        json: { message: "first" },
      },
    ],
    shows: { text: "first", media: [], isReply: true },
  },
  {
    network: "facebook",
    by: "post-for-me",
    what: "link",
    calls: [
      {
        call: `POST ${facebookPage("feed")}`,
        json: {
          message: "see https://example.com/",
          access_token: "{token}",
          published: true,
          link: "https://example.com/",
        },
      },
    ],
    shows: { text: "see https://example.com/", media: [] },
  },
  {
    network: "facebook",
    by: "post-for-me",
    what: "photo with a place and a tagged person",
    calls: [
      {
        call: `POST ${facebookPage("photos")}`,
        json: {
          url: "{picture}",
          published: true,
          message: "here",
          access_token: "{token}",
          tags: [{ x: 0.5, y: 0.5, tag_uid: "1" }],
          place: "110506962309835",
        },
      },
    ],
    shows: { text: "here", media: [JPEG], settings: { place: "110506962309835" } },
  },
  {
    network: "facebook",
    by: "post-for-me",
    what: "photos",
    calls: [
      {
        call: `POST ${facebookPage("photos")}`,
        json: { url: "{picture}", message: "album", access_token: "{token}", published: false },
        keep: { one: "id" },
      },
      {
        call: `POST ${facebookPage("feed")}`,
        json: {
          message: "album",
          access_token: "{token}",
          attached_media: [{ media_fbid: "{one}" }],
          place: "110506962309835",
        },
      },
    ],
    shows: { text: "album", media: [JPEG], settings: { place: "110506962309835" } },
  },
  {
    network: "facebook",
    by: "post-for-me",
    what: "reel",
    calls: [
      {
        call: `POST ${facebookPage("video_reels")}`,
        json: { upload_phase: "start", access_token: "{token}" },
        keep: { id: "video_id", upload: "upload_url" },
      },
      { call: "POST {upload}", headers: oauth },
      {
        call: "GET /facebook/{id}",
        query: { fields: "status" },
        headers: { authorization: "OAuth {token}", "content-type": "application/json; charset=UTF-8" },
        until: ["status.video_status", "upload_complete"],
      },
      {
        call: `POST ${facebookPage("video_reels")}`,
        json: {
          video_id: "{id}",
          upload_phase: "finish",
          video_state: "PUBLISHED",
          description: "reel",
          access_token: "{token}",
          place: "110506962309835",
        },
      },
    ],
    shows: { text: "reel", media: [MP4], settings: { place: "110506962309835" } },
  },
];
