import type { Rehearsal } from "../network";

export const rehearsal: Rehearsal = [
  {
    method: "GET",
    path: /\/channels$/,
    answer: {
      items: [{ id: "{channel id}", snippet: { title: "{channel}" }, status: { longUploadsStatus: "allowed" } }],
    },
  },
  {
    method: "POST",
    path: /\/upload\/youtube\/v3\/videos$/,
    headers: { location: "https://www.googleapis.com/upload/youtube/v3/videos?upload_id={upload id}" },
    answer: {},
  },
  { method: "PUT", path: /\/upload\/youtube\/v3\/videos$/, answer: { id: "{video id}" } },
  {
    method: "GET",
    path: /\/videos$/,
    answer: { items: [{ id: "{video id}", status: { uploadStatus: "processed" } }] },
  },
  { method: "POST", path: /\/thumbnails\/set$/, answer: {} },
];
