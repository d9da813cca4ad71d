export {
  type Account,
  accountsOf,
  disconnectAccount,
  findAccountOnNetwork,
  getAccount,
  listAccounts,
  requireReconnect,
  storeAccount,
} from "./accounts";
export { hasDestinations, listDestinations, recordDestination, storedDestinations } from "./destinations";
export { eraseAccounts } from "./erase";
export { presentAccount, presentDestination } from "./present";
export { distrustToken, openSession } from "./session";
export { letWait } from "./wait";
