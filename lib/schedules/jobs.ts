import { z } from "zod";
import { defineJob } from "../jobs";

/** One waiting job at most per publication: scheduling it again moves that one. */
export const publicationKey = (publicationId: number) => `publication:${publicationId}`;

/** Wakes a publication up; how it goes on, and when it tries again, the publication's own row decides. */
export const publishPublication = defineJob({
  name: "publication.publish",
  payload: z.object({ publicationId: z.number().int() }),
  run: async ({ publicationId }, worker) => (await import("./publish")).publish(publicationId, worker),
});
