import { bearer, JPEG, MP4, type Sent, type Shape } from "./shape";

const tiktokHeaders = { "content-type": "application/json; charset=UTF-8", ...bearer };
const tiktokDone: Sent = {
  call: "POST /tiktok/v2/post/publish/status/fetch/",
  headers: tiktokHeaders,
  json: { publish_id: "{id}" },
  until: ["data.status", "PUBLISH_COMPLETE"],
};
const tiktokDelivered: Sent = { ...tiktokDone, until: ["data.status", "SEND_TO_USER_INBOX"] };
const tiktokFlags = { brand_content_toggle: false, brand_organic_toggle: false };

export const tiktok: Shape[] = [
  {
    network: "tiktok",
    by: "Postiz",
    what: "video",
    calls: [
      { call: "POST /tiktok/v2/post/publish/creator_info/query/", headers: tiktokHeaders },
      {
        call: "POST /tiktok/v2/post/publish/video/init/",
        headers: tiktokHeaders,
        json: {
          post_info: {
            title: "film",
            privacy_level: "PUBLIC_TO_EVERYONE",
            disable_duet: true,
            disable_comment: true,
            disable_stitch: true,
            is_aigc: false,
            ...tiktokFlags,
          },
          source_info: { source: "FILE_UPLOAD", video_size: "{size}", chunk_size: "{size}", total_chunk_count: 1 },
        },
        keep: { id: "data.publish_id", upload: "data.upload_url" },
      },
      {
        call: "PUT {upload}",
        headers: { "content-type": MP4, "content-range": "bytes 0-{last}/{size}" },
        bytes: "video",
      },
      tiktokDone,
    ],
    shows: { text: "film", media: [MP4] },
  },
  {
    network: "tiktok",
    by: "Postiz",
    what: "photos",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/content/init/",
        headers: tiktokHeaders,
        json: {
          post_info: {
            title: "Bells",
            description: "words",
            privacy_level: "PUBLIC_TO_EVERYONE",
            disable_comment: true,
            auto_add_music: true,
            ...tiktokFlags,
          },
          post_mode: "DIRECT_POST",
          media_type: "PHOTO",
          source_info: { source: "PULL_FROM_URL", photo_cover_index: 0, photo_images: ["{picture}", "{picture}"] },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDone,
    ],
    shows: { text: "words", media: [JPEG, JPEG] },
  },
  {
    network: "tiktok",
    by: "Postiz",
    what: "video with a cover time in source_info (postiz-app #1443)",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/video/init/",
        headers: tiktokHeaders,
        json: {
          post_info: {
            title: "film",
            privacy_level: "PUBLIC_TO_EVERYONE",
            disable_duet: true,
            disable_comment: true,
            disable_stitch: true,
            is_aigc: false,
            ...tiktokFlags,
          },
          source_info: { source: "PULL_FROM_URL", video_url: "{video}", video_cover_timestamp_ms: 2000 },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDone,
    ],
    shows: { text: "film", media: [MP4], settings: { video_cover_timestamp_ms: undefined } },
  },
  {
    network: "tiktok",
    by: "Postiz",
    what: "draft of a video",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/inbox/video/init/",
        headers: tiktokHeaders,
        json: {
          post_info: { title: "film" },
          source_info: { source: "FILE_UPLOAD", video_size: "{size}", chunk_size: "{size}", total_chunk_count: 1 },
        },
        keep: { id: "data.publish_id", upload: "data.upload_url" },
      },
      {
        call: "PUT {upload}",
        headers: { "content-type": MP4, "content-range": "bytes 0-{last}/{size}" },
        bytes: "video",
      },
      tiktokDelivered,
    ],
    shows: { text: "", media: [MP4], settings: { is_draft: true } },
  },
  {
    network: "tiktok",
    by: "Postiz",
    what: "draft of photos",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/content/init/",
        headers: tiktokHeaders,
        json: {
          post_info: { title: "Bells", description: "words" },
          post_mode: "MEDIA_UPLOAD",
          media_type: "PHOTO",
          source_info: { source: "PULL_FROM_URL", photo_cover_index: 0, photo_images: ["{picture}"] },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDelivered,
    ],
    shows: { text: "words", media: [JPEG], settings: { is_draft: true } },
  },
  {
    network: "tiktok",
    by: "post-for-me",
    what: "draft of a video",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/inbox/video/init/",
        headers: tiktokHeaders,
        json: {
          post_info: { title: "film", video_cover_timestamp_ms: 2000, is_aigc: false },
          source_info: { source: "PULL_FROM_URL", video_url: "{video}" },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDelivered,
    ],
    shows: { text: "", media: [MP4], settings: { is_draft: true } },
  },
  {
    network: "tiktok",
    by: "post-for-me",
    what: "draft of photos",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/content/init/",
        headers: tiktokHeaders,
        json: {
          post_info: {
            title: "Bells",
            description: "words",
            privacy_level: "PUBLIC_TO_EVERYONE",
            disable_comment: false,
            auto_add_music: true,
            ...tiktokFlags,
          },
          source_info: { source: "PULL_FROM_URL", photo_cover_index: 0, photo_images: ["{picture}"] },
          post_mode: "MEDIA_UPLOAD",
          media_type: "PHOTO",
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDelivered,
    ],
    shows: { text: "words", media: [JPEG], settings: { is_draft: true } },
  },
  {
    network: "tiktok",
    by: "post-for-me",
    what: "video",
    calls: [
      {
        call: "POST /tiktok/v2/post/publish/video/init/",
        headers: tiktokHeaders,
        json: {
          post_info: {
            title: "film",
            privacy_level: "PUBLIC_TO_EVERYONE",
            disable_duet: false,
            disable_comment: false,
            disable_stitch: false,
            video_cover_timestamp_ms: 2000,
            is_aigc: false,
            ...tiktokFlags,
          },
          source_info: { source: "PULL_FROM_URL", video_url: "{video}" },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDone,
    ],
    shows: { text: "film", media: [MP4], settings: { video_cover_timestamp_ms: 2000 } },
  },
];
