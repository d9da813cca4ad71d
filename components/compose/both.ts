/** The composer's two beginnings in one piece: apart, each would bring all of it. */
export { Composer } from "./composer";
export { FromSchedule } from "./from-schedule";
