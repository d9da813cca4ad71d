import { z } from "zod";
import { id, utcInstant } from "./common";

const link = {
  id,
  createdTime: utcInstant,
  endTime: utcInstant.meta({ description: "From then on it shows nothing" }),
};

export const ReviewLinkView = z.object(link).meta({
  id: "ReviewLink",
  description: "An address at which somebody without an account sees a post and says what they think of it",
});

export const ReviewLinkMade = z
  .object({ ...link, url: z.url().meta({ description: "Shown this once: only its hash is kept" }) })
  .meta({ id: "NewReviewLink" });

export const ReviewLinkList = z.object({ items: z.array(ReviewLinkView) }).meta({ id: "ReviewLinks" });

export const FeedbackView = z
  .object({
    id,
    isCurrent: z.boolean().meta({
      description: "Whether the content is still the one that it was said of; another time alone changes no content",
    }),
    name: z.string().meta({ description: "As they call themselves" }),
    verdict: z.enum(["APPROVED", "CHANGES_REQUESTED"]).optional().meta({ description: "Absent for a comment alone" }),
    text: z.string().meta({ description: "Plain text; may be empty beside an approval" }),
    createdTime: utcInstant,
    answer: z.string().optional().meta({ description: "The user's; shown to whoever has the link" }),
    answeredTime: utcInstant.optional(),
    closedTime: utcInstant.optional(),
  })
  .meta({ id: "Feedback", description: "What somebody with a review link said of a posting schedule" });

export const FeedbackList = z.object({ items: z.array(FeedbackView) }).meta({ id: "FeedbackList" });
