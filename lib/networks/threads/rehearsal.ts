import type { Rehearsal } from "../network";

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/threads$/, answer: { id: "{container id}" } },
  { method: "POST", path: /\/threads_publish$/, answer: { id: "{media id}" } },
  { method: "GET", path: /\/threads_publishing_limit$/, answer: { data: [] } },
  { method: "GET", path: /container%20id/, answer: { status: "FINISHED" } },
  { method: "GET", path: /media%20id/, answer: { permalink: "https://www.threads.com/@{username}/post/{shortcode}" } },
];
