export {
  ConnectFailed,
  completeAttempt,
  connectable,
  dashboardReturn,
  type Failure,
  openAttempt,
  restartUrl,
} from "./attempt";
export { botLoops, readUpdates } from "./bots";
export { redirectUriProblem } from "./redirect-uri";
export { type ConnectState, connectUrl, unsealState } from "./state";
export { type ConnectUser, getConnectUser, presentConnectUser, provisionConnectUser } from "./users";
export { connectWithoutBrowser } from "./without-browser";
