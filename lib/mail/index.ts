export { digestLoop, setDigest } from "./digest";
export { noticeWords } from "./kinds";
export {
  getMailPreferences,
  presentNotifications,
  readSubscription,
  setMailPreferences,
  setSubscribed,
} from "./preferences";
export { canReceive, type NewMail, queueMail, queueMails } from "./queue";
export { setQuietHours } from "./quiet";
export { sendMail } from "./send";
export {
  areLinkMailsShown,
  eraseMail,
  getStoredMail,
  listMails,
  listStoredMails,
  oldMailLoop,
  type StoredMail,
} from "./stored";
export { findToken, useToken } from "./tokens";
