import * as z from "zod";

export const NewReviewLink = z.strictObject({
  days: z.number().int().min(1).max(30).meta({ description: "How long it works" }),
});

/** What is done with what was said. */
export const FeedbackChange = z.strictObject({
  answer: z.string().trim().min(1).max(2_000).optional().meta({ description: "In place of an earlier one" }),
  isClosed: z.boolean().optional().meta({ description: "Whether nothing is left to do about it" }),
});
