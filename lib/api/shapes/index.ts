/** The JSON shapes of answers, as SPEC's tables give them. A shape with an `id` becomes a component of the OpenAPI document. */
export * from "./accounts";
export { IdParam, idOf, instant, Platform, sixDigits, storageKey } from "./common";
export * from "./events";
export * from "./media";
export { Verdict } from "./problems";
export { PreviewView, ReceiptView } from "./receipts";
export { DuplicateList, ImportReport, MergeReport, RepeatReport } from "./reports";
export { FeedbackList, FeedbackView, ReviewLinkList, ReviewLinkMade } from "./reviews";
export { pauseFields, ScheduleList, ScheduleStatus, ScheduleView } from "./schedules";
export * from "./users";
export * from "./webhooks";
