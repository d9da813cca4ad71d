export {
  ConnectFailed,
  completeAttempt,
  connectable,
  dashboardReturn,
  type Failure,
  openAttempt,
  restartUrl,
  rightPlace,
} from "./attempt";
export { botLoops } from "./bots";
export { clientDocumentOf } from "./client-document";
export { addMember, type Partner, partnerFor, partnersOf } from "./members";
export { redirectUriProblem } from "./redirect-uri";
export { connectUrl, unsealState } from "./state";
export { getConnectUser, listConnectUsers, presentConnectUser, provisionConnectUser } from "./users";
export { connectWithPassword } from "./with-password";
export { connectWithoutBrowser } from "./without-browser";
