import type { Rehearsal } from "../network";

const blob = { $type: "blob", ref: { $link: "{blob cid}" }, mimeType: "{content type}", size: 0 };
const ref = { uri: "at://{did}/app.bsky.feed.post/{record key}", cid: "{cid}" };

export const rehearsal: Rehearsal = [
  { method: "GET", path: /\/com\.atproto\.repo\.getRecord$/, answer: { ...ref, value: {} } },
  { method: "GET", path: /\/com\.atproto\.identity\.resolveHandle$/, answer: { did: "did:plc:{id}" } },
  { method: "GET", path: /\/com\.atproto\.server\.getServiceAuth$/, answer: { token: "***" } },
  { method: "POST", path: /\/com\.atproto\.repo\.uploadBlob$/, answer: { blob } },
  { method: "GET", path: /\/app\.bsky\.video\.getUploadLimits$/, answer: { canUpload: true } },
  {
    method: "POST",
    path: /\/app\.bsky\.video\.startUpload$/,
    answer: { jobId: "{job id}", partSizeBytes: 1_000_000_000, partCount: 1 },
  },
  { method: "POST", path: /\/app\.bsky\.video\.uploadPart$/, answer: {} },
  { method: "POST", path: /\/app\.bsky\.video\.finishUpload$/, answer: { completedJobId: "{job id}" } },
  {
    method: "GET",
    path: /\/app\.bsky\.video\.getJobStatus$/,
    answer: { jobId: "{job id}", state: "JOB_STATE_COMPLETED", blob },
  },
  { method: "POST", path: /\/com\.atproto\.repo\.putRecord$/, answer: ref },
  // The page of a link preview, at any address.
  { method: "GET", path: /^/, answer: {} },
];
