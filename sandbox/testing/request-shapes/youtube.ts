import { bearer, MP4, type Shape } from "./shape";

const googleHeaders = { ...bearer, "content-type": "application/json; charset=UTF-8" };

export const youtube: Shape[] = (
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
