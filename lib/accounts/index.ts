export {
  type Account,
  confirmAccount,
  deauthorize,
  disconnectAccount,
  findAccountByCallbackId,
  findAccountOnNetwork,
  getAccount,
  getUsableAccount,
  type ListedAccount,
  listAccounts,
  requireReconnect,
  storeAccount,
} from "./accounts";
export { findDataDeletion, disconnectAndRevoke, deleteAccountsOfUser, deletePersonData } from "./deletion";
export {
  refreshDestinations,
  fetchDestinationParts,
  updateDestinationEverywhere,
  listDestinations,
  listDestinationParts,
  listUnusableDestinations,
  moveDestination,
  recordDestination,
  storedDestinations,
} from "./destinations";
export { pauseAccount, getAccountOptions } from "./network-calls";
export { presentAccount, presentDestination, presentQueue } from "./present";
export { getQueue, type Queue, listQueues, setQueue } from "./queue";
export { withQuotaCounting, listQuotaUse } from "./quota";
export { profileRefreshLoop } from "./refresh-profiles";
export { tokenRefreshLoop } from "./refresh-tokens";
export { replaceRefusedToken, openSession } from "./session";
