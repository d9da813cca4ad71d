export { releaseClaims } from "./claim";
export { createSchedule } from "./create";
export { exportSchedules, type ImportedRow, importSchedules, presentImport } from "./csv";
export { deleteSchedule } from "./delete";
export { dispatch } from "./dispatch";
export { listDuplicates, MOST_COMPARED, MOST_MERGED } from "./duplicates";
export { eraseSchedules } from "./erase";
export { forgottenLoop } from "./forgotten";
export { type Merged, mergeSchedules } from "./merge";
export { presentMerge } from "./merge-present";
export { MergeWish } from "./merge-wish";
export { FlatSchedule, isFlat, mixedBody, NewSchedule } from "./new-schedule";
export { nextSlots } from "./next-slots";
export { takeNotices } from "./notices";
export { pausePublishing, publishingPauseNow, publishingState, resumePublishing } from "./pause";
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
export { getSchedule, listSchedules, type Post, type Schedule } from "./read";
export { getReceipt, type Receipt } from "./receipt";
export { type Repeated, repeatSchedule } from "./repeat";
export { presentRepeats } from "./repeat-present";
export { RepeatWish } from "./repeat-wish";
export { retrySchedule } from "./retry";
export { settleImports } from "./settle-imports";
export { updateSchedule } from "./update";
export { validateSchedule } from "./validate";
