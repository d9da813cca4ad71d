import type { Rehearsal } from "../network";

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/2\/media\/upload$/, answer: { data: { id: "{media id}" } } },
  { method: "POST", path: /\/2\/tweets$/, answer: { data: { id: "{post id}" } } },
];
