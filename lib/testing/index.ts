import "./database";

export { chatsOf, connectAccount, firstChat, newPerson } from "./accounts";
export { eventsOf, shown } from "./events";
export { withFiles } from "./files";
export { type ImportSeen, imported, reached } from "./imports";
export { nothingLeft, unowned } from "./kept";
export { clip, formOf, jpeg, picture, upload, uploaded } from "./media";
export {
  as,
  type Client,
  client,
  newOwner,
  newPartner,
  nobody,
  readResponse,
  sessionCookie,
  signedInAs,
} from "./owners";
export { callsOn, control, fault, postsOn } from "./sandbox";
export { delivered, deliveriesOf, newWebhookReceiver, withDeliveries, withReceivers } from "./webhooks";
export {
  attemptsOf,
  dueIn,
  forget,
  inAnHour,
  letDue,
  read,
  type Seen,
  schedule,
  settled,
  withStatus,
  withWorker,
} from "./worker";
