export { releaseClaims } from "./claim";
export { createSchedule } from "./create";
export { deleteSchedule } from "./delete";
export { nested } from "./flat";
export { publishPublication } from "./jobs";
export { FlatSchedule, isFlat, NewSchedule } from "./new-schedule";
export { presentSchedule } from "./present";
export { getSchedule, listSchedules, type Schedule } from "./read";
