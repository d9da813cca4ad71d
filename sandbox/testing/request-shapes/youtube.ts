import { bearer, MP4, type Shape } from "./shape";

const googleHeaders = { ...bearer, "content-type": "application/json; charset=UTF-8" };

const postForMeStatus = {
  privacyStatus: "public",
  selfDeclaredMadeForKids: true,
  containsSyntheticMedia: true,
  embeddable: true,
  license: "youtube",
  publicStatsViewable: true,
};
const postForMeDetails = {
  localizations: { nl: { title: "Klokken", description: "film" } },
  recordingDetails: { recordingDate: "2026-11-20T12:00:00Z" },
};

/** Uploads with their query, their metadata, and the settings that the video then has. */
const uploads: [what: string, by: Shape["by"], query: { [name: string]: string }, json: object, settings: object][] = [
  [
    "video with tags",
    "Postiz",
    { part: "id,snippet,status", notifySubscribers: "true" },
    {
      snippet: { title: "Bells", description: "film", tags: ["bells"] },
      status: { privacyStatus: "public", selfDeclaredMadeForKids: true },
    },
    { tags: ["bells"], selfDeclaredMadeForKids: true, notifySubscribers: undefined },
  ],
  [
    "video with tags",
    "post-for-me",
    { part: "snippet,status" },
    {
      snippet: { title: "Bells", description: "film", tags: ["bells"] },
      status: { privacyStatus: "public", selfDeclaredMadeForKids: false, containsSyntheticMedia: false },
    },
    { tags: ["bells"], selfDeclaredMadeForKids: false },
  ],
  [
    "video with all details",
    "post-for-me",
    { part: "snippet,status,localizations,recordingDetails" },
    {
      snippet: { title: "Bells", description: "film", tags: ["bells"], categoryId: "10", defaultLanguage: "en" },
      status: postForMeStatus,
      ...postForMeDetails,
    },
    { selfDeclaredMadeForKids: true, containsSyntheticMedia: true, categoryId: "10" },
  ],
];

export const youtube: Shape[] = uploads.map(
  ([what, by, query, json, settings]): Shape => ({
    network: "youtube",
    by,
    what,
    calls: [
      {
        call: "POST /youtube/upload/youtube/v3/videos",
        query: { uploadType: "resumable", ...query },
        headers: { ...googleHeaders, "x-upload-content-type": MP4, "x-upload-content-length": "{size}" },
        json,
        keep: { upload: "header:location" },
      },
      { call: "PUT {upload}", headers: { "content-range": "bytes 0-{last}/{size}" }, bytes: "video" },
    ],
    shows: { text: "film", media: [MP4], settings: { ...settings } },
  }),
);
