export {
  type Account,
  deauthorize,
  disconnectAccount,
  findAccountOfNotice,
  findAccountOnNetwork,
  getAccount,
  type ListedAccount,
  listAccounts,
  requireReconnect,
  storeAccount,
} from "./accounts";
export {
  askDestinations,
  askParts,
  changeDestination,
  listDestinations,
  lostDestinations,
  moveDestination,
  recordDestination,
  storedDestinations,
} from "./destinations";
export { disconnect, eraseAccounts } from "./erase";
export { deletionOf, forgetPerson } from "./forget";
export { keepFreshLoop } from "./keep-fresh";
export { optionsOf } from "./options";
export { presentAccount, presentDestination } from "./present";
export { distrustToken, openSession } from "./session";
export { letWait } from "./wait";
