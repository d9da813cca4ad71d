import { withZulu } from "../time/instant";
import type { Feedback, ListedFeedback } from "./feedback";
import type { ReviewLink } from "./links";

export function presentReviewLink({ id, createdAt, expiresAt }: ReviewLink) {
  return { id, createdTime: withZulu(createdAt), endTime: withZulu(expiresAt) };
}

/** Feedback with the owner's answer. Fields without a value are absent. */
export function presentFeedback({ isCurrent, ...item }: ListedFeedback) {
  const { id, ...said } = presentExportedFeedback(item);
  return { id, isCurrent, ...said };
}

/** The same without `isCurrent`, for the data export. */
export function presentExportedFeedback({
  id,
  name,
  verdict,
  text,
  createdAt,
  answer,
  answeredAt,
  closedAt,
}: Feedback) {
  return {
    id,
    name,
    ...(verdict ? { verdict } : {}),
    text,
    createdTime: withZulu(createdAt),
    ...(answer === null ? {} : { answer }),
    ...(answeredAt ? { answeredTime: withZulu(answeredAt) } : {}),
    ...(closedAt ? { closedTime: withZulu(closedAt) } : {}),
  };
}
