export { createSchedule } from "./create";
export { exportSchedules } from "./csv/export";
export { type ImportedRow, importSchedules, presentImport } from "./csv/import";
export { deleteSchedule, eraseSchedules } from "./delete";
export { settleImports } from "./imports/settle";
export { FlatSchedule, isFlat, mixedBody, NewSchedule } from "./input";
export { listDuplicates, MOST_COMPARED, MOST_MERGED } from "./merge/duplicates";
export { type Merged, MergeWish, mergeSchedules, presentMerge } from "./merge/merge";
export {
  presentNextSlots,
  presentPause,
  presentPreview,
  presentReceipt,
  presentSchedule,
  presentVerdict,
  type ShownSchedule,
} from "./present";
export { previewSchedule } from "./preview";
export { getReceipt, type Receipt } from "./publish/attempts";
export { releaseClaims } from "./publish/claim";
export { dispatch } from "./publish/dispatch";
export { takeNotices } from "./publish/notices";
export { pausePublishing, publishingPauseNow, publishingState, resumePublishing } from "./publish/pause";
export { forgottenLoop } from "./publish/rescue";
export { getSchedule, listSchedules, type Post, type Schedule } from "./read";
export { RepeatWish } from "./repeat/input";
export { presentRepeats, type Repeated, repeatSchedule } from "./repeat/repeat";
export { retrySchedule } from "./retry";
export { nextSlots } from "./slots/next-slots";
export { updateSchedule } from "./update";
export { validateSchedule } from "./validate";
