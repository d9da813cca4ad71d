import type { Rehearsal } from "../network";

const at = "https://www.linkedin.com/dms-uploads";

export const rehearsal: Rehearsal = [
  { method: "POST", path: /\/rest\/images$/, answer: { value: { uploadUrl: `${at}/image`, image: "{image urn}" } } },
  {
    method: "POST",
    path: /\/rest\/videos$/,
    answer: {
      value: {
        video: "{video urn}",
        uploadToken: "{upload token}",
        uploadInstructions: [{ uploadUrl: `${at}/part`, firstByte: 0, lastByte: 4_194_303 }],
        thumbnailUploadUrl: `${at}/thumbnail`,
      },
    },
  },
  { method: "PUT", path: /\/dms-uploads\//, answer: {}, headers: { etag: '"{part tag}"' } },
  { method: "GET", path: /\/rest\/videos\//, answer: { status: "AVAILABLE" } },
  { method: "POST", path: /\/rest\/posts$/, answer: {}, headers: { "x-restli-id": "{post urn}" } },
];
