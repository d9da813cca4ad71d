import { z } from "zod";

/** Fields of an answer that also tells whether anything is published at present. */
export const pauseFields = {
  publishingPaused: z.boolean().optional().meta({ description: "`true` while the service publishes nothing at all" }),
  publishingPausedReason: z
    .string()
    .optional()
    .meta({ description: "Why, where whoever runs the service said so", example: "Network incident" }),
};
