import type { Rehearsal } from "../network";

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/media$/, answer: { id: "{container id}" } },
  { method: "POST", path: /\/media_publish$/, answer: { id: "{media id}" } },
  {
    method: "GET",
    path: /\/content_publishing_limit$/,
    answer: { data: [{ quota_usage: 0, config: { quota_total: 50 } }] },
  },
  { method: "GET", path: /container%20id/, answer: { status_code: "FINISHED" } },
  { method: "GET", path: /media%20id/, answer: { permalink: "https://www.instagram.com/p/{shortcode}/" } },
];
