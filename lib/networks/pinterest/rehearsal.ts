import type { Rehearsal } from "../network";

const parameters = { key: "{upload key}", policy: "{policy}", "x-amz-signature": "{signature}" };
const registered = {
  media_id: "{media id}",
  upload_url: "https://pinterest-media-upload.s3-accelerate.amazonaws.com/",
  upload_parameters: parameters,
};

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/v5\/media$/, answer: registered },
  { method: "POST", path: /^\/$/, answer: {} },
  { method: "GET", path: /\/v5\/media\//, answer: { status: "succeeded" } },
  { method: "GET", path: /\/pins$/, answer: { items: [] } },
  { method: "POST", path: /\/v5\/pins$/, answer: { id: "{pin id}" } },
];
