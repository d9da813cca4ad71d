import type { Rehearsal } from "../network";

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/2\/media\/upload$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/initialize$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/append$/, answer: { data: {} } },
  {
    method: "POST",
    path: /\/finalize$/,
    answer: { data: { id: "{media id}", processing_info: { state: "pending" } } },
  },
  { method: "GET", path: /\/2\/media\/upload$/, answer: { data: { processing_info: { state: "succeeded" } } } },
  { method: "POST", path: /\/2\/media\/metadata$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/2\/tweets$/, answer: { data: { id: "{post id}" } } },
];
