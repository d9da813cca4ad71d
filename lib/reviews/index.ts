export { listAllFeedback, listFeedback, updateFeedback } from "./feedback";
export { createFeedback, MAX_FEEDBACK_NAME_LENGTH, MAX_FEEDBACK_TEXT_LENGTH, acceptsFeedback } from "./leave";
export { createReviewLink, deleteReviewLink, listReviewLinks } from "./links";
export { presentFeedback, presentReviewLink, presentExportedFeedback } from "./present";
export {
  isReviewLinkOpen,
  openReview,
  type Review,
  type ReviewFile,
  type ReviewPost,
  type ReviewPublication,
  type ReviewedSchedule,
  getReviewedSchedule,
} from "./review";
