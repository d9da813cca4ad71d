/**
 * What two services in production send to the networks, as facts read from their public source: the order of their calls, the
 * names of the fields, and where each field is (address, header, form or JSON). The texts are ours.
 *
 * - Postiz: github.com/gitroomhq/postiz-app, commit 74b01ad (2026-08-21), `libraries/nestjs-libraries/src/integrations/social`.
 *   Its Telegram calls are those of node-telegram-bot-api, `src/telegram.js`.
 * - post-for-me: github.com/DayMoonDevelopment/post-for-me, commit d72ab66 (2026-07-30), `trigger/posting/platforms`.
 *
 * Not in the table: X, where both use twitter-api-v2, and the posts of Bluesky, where both use @atproto/api (`clients.test.ts`).
 * post-for-me posts texts, pictures and videos to LinkedIn with the older `/v2/ugcPosts`, and documents with `/rest/posts` (commit
 * 257cd9f). Its reshares of other posts are not in the table, because no network's reshares are simulated.
 */

/** A value in braces is known only when the calls are replayed: a token, an id, or what an earlier answer has returned. */
export type Sent = {
  call: `${"GET" | "POST" | "PUT"} ${string}`;
  query?: { [name: string]: string };
  headers?: { [name: string]: string };
  /** The body: one of these, or the bytes of a file. */
  json?: object;
  form?: { [name: string]: string };
  multipart?: { [name: string]: string };
  /** Fields from an earlier answer that a multipart body holds before the file. */
  fieldsOf?: string;
  bytes?: "video" | "picture" | "document";
  /** The call is repeated until the answer has this value. */
  until?: [path: string, value: string];
  /** Values of the answer that later calls use: names, with their path in the body (`*`: the only field). `header:` reads a header. */
  keep?: { [name: string]: string };
};
type Shape = {
  network: string;
  by: "Postiz" | "post-for-me";
  what: string;
  calls: Sent[];
  shows: { text: string; media: string[] };
};

const JPEG = "image/jpeg";
const MP4 = "video/mp4";
const PDF = "application/pdf";
const bearer = { authorization: "Bearer {token}" };

const facebookPage = (path: string) => `/facebook/v20.0/{page}/${path}`;
const inQuery = { access_token: "{token}" };
const oauth = { authorization: "OAuth {token}", file_url: "{video}" };

const facebook: Shape[] = [
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
    by: "post-for-me",
    what: "photos",
    calls: [
      {
        call: `POST ${facebookPage("photos")}`,
        json: { url: "{picture}", access_token: "{token}", published: false },
        keep: { one: "id" },
      },
      {
        call: `POST ${facebookPage("feed")}`,
        json: { message: "album", access_token: "{token}", attached_media: [{ media_fbid: "{one}" }] },
      },
    ],
    shows: { text: "album", media: [JPEG] },
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
        },
      },
    ],
    shows: { text: "reel", media: [MP4] },
  },
];

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

const instagram: Shape[] = [
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

const threadsReady = (container: string): Sent => ({
  call: `GET /threads/v1.0/{${container}}`,
  query: { fields: "status,error_message", ...inQuery },
  until: ["status", "FINISHED"],
});

const threads: Shape[] = [
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

const tiktokHeaders = { "content-type": "application/json; charset=UTF-8", ...bearer };
const tiktokDone: Sent = {
  call: "POST /tiktok/v2/post/publish/status/fetch/",
  headers: tiktokHeaders,
  json: { publish_id: "{id}" },
  until: ["data.status", "PUBLISH_COMPLETE"],
};
const tiktokFlags = { brand_content_toggle: false, brand_organic_toggle: false };

const tiktok: Shape[] = [
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
            is_aigc: false,
            ...tiktokFlags,
          },
          source_info: { source: "PULL_FROM_URL", video_url: "{video}" },
        },
        keep: { id: "data.publish_id" },
      },
      tiktokDone,
    ],
    shows: { text: "film", media: [MP4] },
  },
];

const googleHeaders = { ...bearer, "content-type": "application/json; charset=UTF-8" };

const youtube: Shape[] = (
  [
    ["Postiz", { uploadType: "resumable", part: "id,snippet,status", notifySubscribers: "true" }],
    ["post-for-me", { uploadType: "resumable", part: "snippet,status" }],
  ] as const
).map(
  ([by, query]): Shape => ({
    network: "youtube",
    by,
    what: "video",
    calls: [
      {
        call: "POST /youtube/upload/youtube/v3/videos",
        query,
        headers: { ...googleHeaders, "x-upload-content-type": MP4, "x-upload-content-length": "{size}" },
        json: {
          snippet: { title: "Bells", description: "film", tags: ["bells"] },
          status: { privacyStatus: "public", selfDeclaredMadeForKids: false },
        },
        keep: { upload: "header:location" },
      },
      { call: "PUT {upload}", headers: { "content-range": "bytes 0-{last}/{size}" }, bytes: "video" },
    ],
    shows: { text: "film", media: [MP4] },
  }),
);

const linkedinHeaders = {
  "x-restli-protocol-version": "2.0.0",
  "linkedin-version": "202601",
  ...bearer,
};
const linkedinPost = (commentary: string, content?: object) => ({
  author: "{user}",
  commentary,
  visibility: "PUBLIC",
  distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
  ...(content ? { content } : {}),
  lifecycleState: "PUBLISHED",
  isReshareDisabledByAuthor: false,
});
const linkedinUpload = (kind: "images" | "videos", more: object = {}): Sent => ({
  call: `POST /linkedin/rest/${kind}`,
  query: { action: "initializeUpload" },
  headers: linkedinHeaders,
  json: { initializeUploadRequest: { owner: "{user}", ...more } },
  keep:
    kind === "images"
      ? { upload: "value.uploadUrl", urn: "value.image" }
      : { upload: "value.uploadInstructions.0.uploadUrl", urn: "value.video" },
});

const registerAsset = (kind: "image" | "video", [upload, urn] = ["upload", "urn"]): Sent => ({
  call: "POST /linkedin/v2/assets",
  query: { action: "registerUpload" },
  headers: bearer,
  json: {
    registerUploadRequest: {
      recipes: [`urn:li:digitalmediaRecipe:feedshare-${kind}`],
      owner: "{user}",
      serviceRelationships: [{ relationshipType: "OWNER", identifier: "urn:li:userGeneratedContent" }],
    },
  },
  keep: {
    [upload]: "value.uploadMechanism.*.uploadUrl",
    [urn]: "value.asset",
  },
});
const sendAsset = (upload: string, bytes: "picture" | "video"): Sent => ({
  call: `POST {${upload}}`,
  headers: { ...bearer, "content-type": bytes === "video" ? MP4 : JPEG },
  bytes,
});
const ugcPost = (text: string, category: string, media?: object[]): Sent => ({
  call: "POST /linkedin/v2/ugcPosts",
  headers: { ...bearer, "x-restli-protocol-version": "2.0.0" },
  json: {
    author: "{user}",
    lifecycleState: "PUBLISHED",
    specificContent: {
      "com.linkedin.ugc.ShareContent": {
        shareCommentary: { text },
        shareMediaCategory: category,
        ...(media ? { media } : {}),
      },
    },
    visibility: { "com.linkedin.ugc.MemberNetworkVisibility": "PUBLIC" },
  },
  keep: { id: "id" },
});
const readyAsset = (media: string, text: string) => ({ status: "READY", description: { text }, media });

const postForMe: Omit<Shape, "network" | "by">[] = [
  { what: "text", calls: [ugcPost("words (plain)", "NONE")], shows: { text: "words (plain)", media: [] } },
  {
    what: "link",
    calls: [ugcPost("see https://example.com/", "ARTICLE", [{ status: "READY", originalUrl: "https://example.com/" }])],
    shows: { text: "see https://example.com/", media: [] },
  },
  {
    what: "picture",
    calls: [
      registerAsset("image"),
      sendAsset("upload", "picture"),
      ugcPost("words", "IMAGE", [readyAsset("{urn}", "words")]),
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    what: "pictures",
    calls: [
      registerAsset("image", ["upload", "one"]),
      sendAsset("upload", "picture"),
      registerAsset("image", ["upload", "two"]),
      sendAsset("upload", "picture"),
      ugcPost("both", "IMAGE", [readyAsset("{one}", "both"), readyAsset("{two}", "both")]),
    ],
    shows: { text: "both", media: [JPEG, JPEG] },
  },
  {
    what: "video",
    calls: [
      registerAsset("video"),
      sendAsset("upload", "video"),
      ugcPost("film", "VIDEO", [readyAsset("{urn}", "film")]),
    ],
    shows: { text: "film", media: [MP4] },
  },
  {
    what: "document",
    calls: [
      {
        call: "POST /linkedin/rest/documents",
        query: { action: "initializeUpload" },
        headers: linkedinHeaders,
        json: { initializeUploadRequest: { owner: "{user}" } },
        keep: { upload: "value.uploadUrl", urn: "value.document" },
      },
      { call: "PUT {upload}", headers: bearer, bytes: "document" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("pages", { media: { id: "{urn}" } }),
        keep: { id: "header:x-restli-id" },
      },
    ],
    shows: { text: "pages", media: [PDF] },
  },
];
const linkedinUgc = postForMe.map((shape): Shape => ({ network: "linkedin", by: "post-for-me", ...shape }));

const linkedin: Shape[] = [
  {
    network: "linkedin",
    by: "Postiz",
    what: "picture",
    calls: [
      linkedinUpload("images"),
      { call: "PUT {upload}", headers: linkedinHeaders, bytes: "picture" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("words", { media: { id: "{urn}" } }),
      },
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    network: "linkedin",
    by: "Postiz",
    what: "video",
    calls: [
      linkedinUpload("videos", { fileSizeBytes: "{size}", uploadCaptions: false, uploadThumbnail: false }),
      {
        call: "PUT {upload}",
        headers: { ...linkedinHeaders, "content-type": "application/octet-stream" },
        bytes: "video",
        keep: { etag: "header:etag" },
      },
      {
        call: "POST /linkedin/rest/videos",
        query: { action: "finalizeUpload" },
        headers: linkedinHeaders,
        json: { finalizeUploadRequest: { video: "{urn}", uploadToken: "", uploadedPartIds: ["{etag}"] } },
      },
      { call: "GET /linkedin/rest/videos/{urn}", headers: linkedinHeaders, until: ["status", "AVAILABLE"] },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("film", { media: { id: "{urn}" } }),
      },
    ],
    shows: { text: "film", media: [MP4] },
  },
];

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

const pinterest: Shape[] = [
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

const telegram: Shape[] = [
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
    shows: { text: "words", media: [] },
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

const bluesky: Shape[] = (["Postiz", "post-for-me"] as const).map(
  (by): Shape => ({
    network: "bluesky",
    by,
    what: "video",
    calls: [
      {
        call: "GET {server}/xrpc/com.atproto.server.getServiceAuth",
        query: { aud: "{did}", lxm: "com.atproto.repo.uploadBlob", exp: "{soon}" },
        headers: bearer,
        keep: { service: "token" },
      },
      {
        call: "POST {server}/xrpc/app.bsky.video.uploadVideo",
        query: { did: "{user}", name: "film.mp4" },
        headers: { authorization: "Bearer {service}", "content-type": MP4 },
        bytes: "video",
        keep: { job: "jobId" },
      },
      {
        call: "GET {server}/xrpc/app.bsky.video.getJobStatus",
        query: { jobId: "{job}" },
        until: ["jobStatus.state", "JOB_STATE_COMPLETED"],
        keep: { blob: "jobStatus.blob" },
      },
      {
        call: "POST {server}/xrpc/com.atproto.repo.createRecord",
        headers: bearer,
        json: {
          collection: "app.bsky.feed.post",
          repo: "{user}",
          record: {
            $type: "app.bsky.feed.post",
            text: "film",
            createdAt: "2026-11-20T12:00:00.000Z",
            embed: { $type: "app.bsky.embed.video", video: "{blob}" },
          },
        },
      },
    ],
    shows: { text: "film", media: [MP4] },
  }),
);

export const shapes: Shape[] = [
  ...facebook,
  ...instagram,
  ...threads,
  ...tiktok,
  ...youtube,
  ...linkedin,
  ...linkedinUgc,
  ...pinterest,
  ...telegram,
  ...bluesky,
];
