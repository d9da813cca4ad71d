export {
  createCalendarAddress,
  findCalendar,
  findCalendarAddress,
  removeCalendarAddress,
  removeCalendarAddressOfUser,
} from "./calendar-address";
export { exportSchedules } from "./csv/export";
export { type ImportedRow, importSchedules, presentCsvImport } from "./csv/import";
export { deleteSchedule, eraseSchedules } from "./delete";
export {
  createFeed,
  deleteFeed,
  dryRunFeed,
  getFeed,
  listFeeds,
  NewFeed,
  presentFeed,
  presentFeedDryRun,
  stopFeedsOfApplication,
  stopFeedsOfUser,
} from "./feeds/feeds";
export { type Feed, feedLoop } from "./feeds/take";
export { settleImports } from "./imports/settle";
export { FlatSchedule, isFlat, mixedBodyProblem, NewPublication, NewSchedule } from "./input";
export { listDuplicates, MAX_COMPARED, MAX_MERGED } from "./merge/duplicates";
export { MergeInput, type MergeResult, mergeSchedules, presentMerge } from "./merge/merge";
export {
  type Proposer,
  presentCreated,
  presentSchedule,
  presentValidation,
  type ShownSchedule,
  scheduleTag,
} from "./present";
export { presentPreview, previewSchedule } from "./preview";
export { getReceipt, presentReceipt, type Receipt } from "./publish/attempts";
export { releaseClaims } from "./publish/claim";
export { dispatch } from "./publish/dispatch";
export {
  type ClosedNetwork,
  listClosedNetworks,
  listOverdue,
  listOverdueComments,
  type Overdue,
  readOldestDue,
} from "./publish/figures";
export { handleNotices } from "./publish/notices";
export {
  HOLD_FIX,
  type PublishingPause,
  type PublishingState,
  pausePublishing,
  presentPause,
  publishingPauseNow,
  publishingState,
  resumePublishing,
} from "./publish/pause";
export { rescueLoop } from "./publish/rescue";
export { finishRestore, type RestoreSummary } from "./publish/restore";
export { countPublicationsToday } from "./quota";
export {
  charactersOf,
  countSchedules,
  findSchedules,
  getSchedule,
  type ListedSchedule,
  listSchedules,
  listSchedulesByTime,
  MAX_COUNTED,
  type PageByTime,
  type Post,
  type Schedule,
} from "./read";
export { readAllSchedules } from "./read-all";
export { RepeatInput } from "./repeat/input";
export { presentRepeats, type RepeatResult, repeatSchedule } from "./repeat/repeat";
export { retentionLoop } from "./retention";
export { leaveUnpublished, ReadBackNotPossible, retrySchedule } from "./retry";
export { listAccountPlans, presentAccountPlan } from "./slots/account-plans";
export { nextSlots, presentNextSlots } from "./slots/next-slots";
export { createSchedule } from "./store";
export { ApprovalInput, approveSchedule, moveSchedulesOfUserToDrafts, updateFile, updateSchedule } from "./update";
export { validateSchedule } from "./validate";
