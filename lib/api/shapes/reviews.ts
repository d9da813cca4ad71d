import { z } from "zod";
import { id, utcInstant } from "./common";

const link = {
  id,
  createdTime: utcInstant,
  endTime: utcInstant.meta({ description: "When the link stops working" }),
};

export const ReviewLinkView = z.object(link).meta({
  id: "ReviewLink",
  description: "A link with which people without an account can see a post and give feedback",
});

export const ReviewLinkMade = z
  .object({ ...link, url: z.url().meta({ description: "Shown only once, because only its hash is stored" }) })
  .meta({ id: "NewReviewLink" });

export const ReviewLinkList = z.object({ items: z.array(ReviewLinkView) }).meta({ id: "ReviewLinks" });

export const FeedbackView = z
  .object({
    id,
    isCurrent: z.boolean().meta({
      description: "Whether the content has not changed since. A new time alone does not count",
    }),
    name: z.string().meta({ description: "The name that the reviewer gave" }),
    verdict: z.enum(["APPROVED", "CHANGES_REQUESTED"]).optional().meta({ description: "Absent for a comment only" }),
    text: z.string().meta({ description: "Plain text. May be empty for an approval" }),
    createdTime: utcInstant,
    answer: z.string().optional().meta({ description: "The user's answer, visible to everyone with the link" }),
    answeredTime: utcInstant.optional(),
    closedTime: utcInstant.optional(),
  })
  .meta({ id: "Feedback", description: "Feedback on a post from someone with a review link" });

export const FeedbackList = z.object({ items: z.array(FeedbackView) }).meta({ id: "FeedbackList" });
