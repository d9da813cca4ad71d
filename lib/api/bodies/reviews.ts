import * as z from "zod";

export const NewReviewLink = z.strictObject({
  days: z.number().int().min(1).max(30).meta({ description: "How many days the link works" }),
});

/** The user's answer to feedback, and whether it is closed. */
export const FeedbackChange = z.strictObject({
  answer: z.string().trim().min(1).max(2_000).optional().meta({ description: "Replaces an earlier answer" }),
  isClosed: z.boolean().optional().meta({ description: "Whether the feedback needs no more work" }),
});
