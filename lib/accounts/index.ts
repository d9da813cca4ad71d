export {
  type Account,
  confirmAccount,
  deauthorize,
  disconnectAccount,
  findAccountByCallbackId,
  findAccountOnNetwork,
  getAccount,
  getUsableAccount,
  listAccounts,
  requireReconnect,
  requireReconnectsOfUser,
  sealedAccountColumns,
  storeAccount,
  storedTokens,
} from "./accounts";
export { deleteAccountsOfUser, deletePersonData, disconnectAndRevoke, findDataDeletion } from "./deletion";
export {
  fetchDestinationParts,
  listDestinationParts,
  listDestinations,
  listUnusableDestinations,
  moveDestination,
  recordDestination,
  refreshDestinations,
  storedDestinations,
  updateDestinationEverywhere,
} from "./destinations";
export {
  createAccountGroup,
  deleteAccountGroup,
  listAccountGroups,
  presentAccountGroup,
  updateAccountGroup,
} from "./groups";
export {
  callNetwork,
  findAccountToTry,
  getAccountOptions,
  listSettingOptions,
  pauseAccount,
  withNewToken,
} from "./network-calls";
export {
  listOperatorProblems,
  type OperatorProblem,
  reportOperatorProblem,
  resolveOperatorProblems,
} from "./operator-problems";
export { type ListedAccount, presentAccount, presentDestination, presentQueue } from "./present";
export { getQueue, listQueues, type Queue, setQueue } from "./queue";
export { listQuotaUse, withQuotaCounting } from "./quota";
export { profileRefresh } from "./refresh-profiles";
export { tokenRefresh, verifyRestoredTokens } from "./refresh-tokens";
export { openSession, replaceOrRequireReconnect, replaceRefusedToken } from "./session";
