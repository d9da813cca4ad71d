export { deliverWebhooks, fanOut, releaseDeliveries } from "./deliver";
export { listDeliveries, redeliver, sendTestDelivery } from "./deliveries";
export { emit, eventValues, insertingEvents } from "./emit";
export {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  getEndpoint,
  holdWebhooksOfApplication,
  holdWebhooksOfPartner,
  holdWebhooksOfUser,
  listEndpoints,
  rotateWebhookSecret,
  type Subscriber,
  updateEndpoint,
} from "./endpoints";
export { endOfLog, eraseEventsOf, type LogPlace, listNewestEvents, readLog } from "./log";
export { presentDelivery, presentEndpoint, presentLogEntry } from "./present";
export { defineReader, readerLoops } from "./reader";
export { createWebhookSecret, sealedWebhookColumns, signedHeaders } from "./secret";
export { type EventType, eventTypes, type NewEvent, type WrittenEvent } from "./types";
