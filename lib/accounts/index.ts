export {
  type Account,
  confirmAccount,
  deauthorize,
  disconnectAccount,
  findAccountOfNotice,
  findAccountOnNetwork,
  getAccount,
  getUsableAccount,
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
  listParts,
  lostDestinations,
  moveDestination,
  recordDestination,
  storedDestinations,
} from "./destinations";
export { disconnect, eraseAccounts } from "./erase";
export { deletionOf, forgetPerson } from "./forget";
export { keepFreshLoop } from "./keep-fresh";
export { keepProfilesLoop } from "./keep-profiles";
export { optionsOf } from "./options";
export { presentAccount, presentDestination, presentQueue } from "./present";
export { getQueue, type Queue, queuesOf, setQueue } from "./queue";
export { counted } from "./quota";
export { usedToday } from "./quota-count";
export { distrustToken, openSession } from "./session";
export { letWait } from "./wait";
