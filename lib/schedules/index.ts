export { createSchedule } from "./create";
export { exportSchedules, type ImportedRow, importSchedules, presentImport } from "./csv";
export { deleteSchedule } from "./delete";
export { eraseSchedules } from "./erase";
export { settleImports } from "./imports/settle";
export { FlatSchedule, isFlat, mixedBody, NewSchedule } from "./input";
export { listDuplicates, MOST_COMPARED, MOST_MERGED } from "./merge/duplicates";
export { MergeWish } from "./merge/input";
export { type Merged, mergeSchedules } from "./merge/merge";
export { presentMerge } from "./merge/present";
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
export { releaseClaims } from "./publish/claim";
export { dispatch } from "./publish/dispatch";
export { takeNotices } from "./publish/notices";
export { pausePublishing, publishingPauseNow, publishingState, resumePublishing } from "./publish/pause";
export { forgottenLoop } from "./publish/rescue";
export { getSchedule, listSchedules, type Post, type Schedule } from "./read";
export { getReceipt, type Receipt } from "./receipt";
export { RepeatWish } from "./repeat/input";
export { presentRepeats } from "./repeat/present";
export { type Repeated, repeatSchedule } from "./repeat/repeat";
export { retrySchedule } from "./retry";
export { nextSlots } from "./slots/next-slots";
export { updateSchedule } from "./update";
export { validateSchedule } from "./validate";
