export { deliveries, fanOut, releaseDeliveries } from "./deliver";
export { listDeliveries, redeliver, sendTest } from "./deliveries";
export { emit } from "./emit";
export {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  type Subscriber,
  updateEndpoint,
} from "./endpoints";
export { endOfLog, eraseEventsOf, type LogPlace, newestEvents, readLog } from "./log";
export { presentDelivery, presentEndpoint, presentLogEntry } from "./present";
export { defineReader, readerLoops } from "./reader";
export { newSecret, signedHeaders } from "./secret";
export { type EventType, eventTypes, type NewEvent, type WrittenEvent } from "./types";
