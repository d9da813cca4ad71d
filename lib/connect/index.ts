export { connectableNetwork, findClientDocument } from "./addresses";
export { type BotConnection, botLoops, findBotConnection } from "./bots";
export {
  type BridgeResult,
  type ConfirmationPage,
  type ConnectViewer,
  confirmConnect,
  type FailurePage,
  finishConnect,
  openConnectLink,
} from "./bridge";
export {
  type AccountPage,
  connectByAccountName,
  connectByPassword,
  connectFromDashboard,
  type DashboardResult,
  getAccountPage,
} from "./dashboard";
export { connectWithoutBrowser, connectWithPassword } from "./direct";
export {
  createConnectSession,
  type EmbeddedAttempt,
  type EmbeddedSession,
  findConnectSession,
  openConnectSession,
  originProblem,
  ownerOfAccountsFrame,
  ownerOfWebhooksFrame,
  partnerPlatforms,
  readEmbedded,
  startEmbeddedConnect,
} from "./embedded";
export { ConnectError, type ConnectFailure, connectFailureStatuses } from "./failure";
export { endConnectAttemptsOfUser, sealedAttemptColumns } from "./open";
export { createRehearsalLink, listRehearsalTraces, type RehearsalLink, rehearsalLinks } from "./rehearsal";
export { connectUrl } from "./state";
export {
  type ConnectOutcome,
  type ConnectTrace,
  findConnectTrace,
  findTraceOfLink,
  listConnectTraces,
} from "./traces";
