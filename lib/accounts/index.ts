export {
  type Account,
  disconnectAccount,
  findAccountOnNetwork,
  getAccount,
  listAccounts,
  requireReconnect,
  storeAccount,
} from "./accounts";
export {
  askDestinations,
  listDestinations,
  moveDestination,
  recordDestination,
  storedDestinations,
} from "./destinations";
export { eraseAccounts } from "./erase";
export { presentAccount, presentDestination } from "./present";
export { distrustToken, openSession } from "./session";
export { letWait } from "./wait";
