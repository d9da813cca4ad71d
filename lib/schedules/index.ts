export { releaseClaims } from "./claim";
export { createSchedule } from "./create";
export { deleteSchedule } from "./delete";
export { nested } from "./flat";
export { forgottenLoop } from "./forgotten";
export { FlatSchedule, isFlat, NewSchedule } from "./new-schedule";
export { presentSchedule } from "./present";
export { publishPublication } from "./publish";
export { getSchedule, listSchedules } from "./read";
