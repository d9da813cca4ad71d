import type { Rehearsal } from "../network";

const isPublished = { status: "complete", publish_status: "published" };
const offsets = { start_offset: "0", end_offset: "0" };

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/feed$/, answer: { id: "{post id}" } },
  { method: "POST", path: /\/photos$/, answer: { id: "{photo id}", post_id: "{post id}" } },
  {
    method: "POST",
    path: /\/videos$/,
    body: /file_size=(\d+)/,
    // The whole file as one part; Facebook may ask for smaller parts.
    answer: ([, size]: RegExpExecArray) => ({
      ...{ upload_session_id: "{session id}", video_id: "{video id}" },
      ...{ start_offset: "0", end_offset: size },
    }),
  },
  { method: "POST", path: /\/videos$/, answer: { ...offsets, success: true } },
  {
    method: "POST",
    path: /\/video_(reels|stories)$/,
    answer: {
      video_id: "{video id}",
      upload_url: "https://rupload.facebook.com/video-upload/{video id}",
      success: true,
      post_id: "{post id}",
    },
  },
  { method: "POST", path: /\/video-upload\//, answer: { success: true } },
  { method: "POST", path: /\/photo_stories$/, answer: { success: true, post_id: "{post id}" } },
  { method: "GET", path: /\/stories$/, answer: { data: [] } },
  { method: "GET", path: /post%20id/, answer: { permalink_url: "https://www.facebook.com/{post id}" } },
  { method: "POST", path: /\/thumbnails$/, answer: { success: true } },
  { method: "GET", path: /video%20id/, answer: { id: "{video id}", status: { publishing_phase: isPublished } } },
  { method: "GET", path: /\/v[\d.]+\/[^/]+$/, answer: { access_token: "{page token}", id: "{id}" } },
];
