export { listAllFeedback, listFeedback, reactToFeedback } from "./feedback";
export { leaveFeedback, MOST_NAME, MOST_TEXT, takesFeedback } from "./leave";
export { createReviewLink, deleteReviewLink, listReviewLinks } from "./links";
export { isReviewLinkOpen, openReview, type Review } from "./open";
export { presentFeedback, presentReviewLink, presentSaid } from "./present";
export { type ShownFile, type ShownPost, type ShownPublication, type ShownSchedule, showSchedule } from "./shown";
