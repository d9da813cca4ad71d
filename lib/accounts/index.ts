export {
  type Account,
  disconnectAccount,
  findAccountOnNetwork,
  getAccount,
  listAccounts,
  requireReconnect,
  storeAccount,
} from "./accounts";
export { listDestinations, recordDestination, storedDestinations } from "./destinations";
export { eraseAccounts } from "./erase";
export { keepFreshLoop } from "./keep-fresh";
export { presentAccount, presentDestination } from "./present";
export { distrustToken, openSession } from "./session";
export { letWait } from "./wait";
