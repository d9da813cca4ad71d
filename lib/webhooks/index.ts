export { emit } from "./emit";
export { eraseEventsOf } from "./erase";
export { endOfLog, type LogPlace, readLog } from "./log";
export { defineReader, readerLoops } from "./reader";
export { type EventType, eventTypes, type NewEvent, type WrittenEvent } from "./types";
