/** The JSON shapes of answers, as SPEC's tables give them. A shape with an `id` becomes a component of the OpenAPI document. */
export * from "./accounts";
export { IdParam, idOf, instantParam, PlatformEnum, sixDigitTime, storageKey } from "./common";
export * from "./events";
export * from "./media";
export { ValidationView } from "./problems";
export { PreviewView, ReceiptView } from "./receipts";
export { DuplicateList, ImportReportView, MergeReport, RepeatReport } from "./reports";
export {
  CreatedScheduleView,
  FeedbackList,
  FeedbackView,
  FeedDryRunView,
  FeedView,
  PostCountsView,
  pauseFields,
  ReviewLinkList,
  ReviewLinkMade,
  ScheduleList,
  ScheduleStatusView,
  ScheduleView,
} from "./schedules";
export * from "./users";
export * from "./webhooks";
