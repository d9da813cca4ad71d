/** The JSON shapes of answers, as SPEC's tables give them. One with an `id` is a component of the OpenAPI document. */
export * from "./accounts";
export { ImportReport } from "./bulk";
export { IdParam, idOf, instant, Platform, sixDigits, storageKey } from "./common";
export * from "./connect";
export * from "./events";
export { ImportStarted, ImportView } from "./imports";
export * from "./media";
export { DuplicateList, MergeReport } from "./merges";
export { NotificationsView } from "./notifications";
export { pauseFields } from "./pause";
export { Verdict } from "./problems";
export { RepeatReport } from "./repeats";
export { FeedbackList, FeedbackView, ReviewLinkList, ReviewLinkMade } from "./reviews";
export { ScheduleList, ScheduleStatus, ScheduleView } from "./schedules";
export { NextSlotsView, QueueView } from "./slots";
export { PreviewView, ReceiptView } from "./story";
export * from "./webhooks";
