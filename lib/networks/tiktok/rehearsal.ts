import type { Rehearsal } from "../network";

const ok = (data: object) => ({ data, error: { code: "ok", message: "", log_id: "{log id}" } });
const levels = ["PUBLIC_TO_EVERYONE", "FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"];

export const rehearsal: Rehearsal = [
  { method: "POST", path: /creator_info\/query\/$/, answer: ok({ privacy_level_options: levels }) },
  {
    method: "POST",
    path: /video\/init\/$/,
    answer: ok({
      publish_id: "{publish id}",
      upload_url: "https://open-upload.tiktokapis.com/video/?upload_id={upload id}",
    }),
  },
  { method: "PUT", path: /\/video\/$/, answer: {} },
  { method: "POST", path: /content\/init\/$/, answer: ok({ publish_id: "{publish id}" }) },
  {
    method: "POST",
    path: /status\/fetch\/$/,
    answer: ok({ status: "PUBLISH_COMPLETE", publicaly_available_post_id: ["{post id}"] }),
  },
];
