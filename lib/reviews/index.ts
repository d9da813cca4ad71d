export {
  acceptsFeedback,
  createFeedback,
  listAllFeedback,
  listFeedback,
  MAX_FEEDBACK_NAME_LENGTH,
  MAX_FEEDBACK_TEXT_LENGTH,
  presentExportedFeedback,
  presentFeedback,
  updateFeedback,
} from "./feedback";
export {
  createReviewLink,
  deleteReviewLink,
  deleteReviewLinksOfUser,
  listReviewLinks,
  presentReviewLink,
} from "./links";
export {
  getReviewedSchedule,
  isReviewLinkOpen,
  openReview,
  type Review,
  type ReviewedSchedule,
  type ReviewFile,
  type ReviewPost,
  type ReviewPublication,
} from "./review";
