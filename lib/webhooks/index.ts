export { deliveries, releaseDeliveries } from "./deliver";
export { listDeliveries, redeliver, sendTest } from "./deliveries";
export { emit } from "./emit";
export {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from "./endpoints";
export { eraseEventsOf } from "./erase";
export { fanOut } from "./fan-out";
export { endOfLog, type LogPlace, readLog } from "./log";
export { newestEvents } from "./newest";
export { presentDelivery, presentEndpoint, presentLogEntry } from "./present";
export { defineReader, readerLoops } from "./reader";
export { newSecret, signedHeaders } from "./secret";
export type { Subscriber } from "./subscriber";
export { type EventType, eventTypes, type NewEvent, type WrittenEvent } from "./types";
