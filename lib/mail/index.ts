export {
  areLinkMailsShown,
  eraseMail,
  getKeptMail,
  type KeptMail,
  listKeptMails,
  listMails,
  oldMailLoop,
} from "./kept";
export { noticeWords } from "./kinds";
export {
  getMailPreferences,
  presentNotifications,
  readSubscription,
  setMailPreferences,
  setSubscribed,
} from "./preferences";
export { queueMail } from "./queue";
export { setQuietHours } from "./quiet";
export { sendMail } from "./send";
export { findToken, useToken } from "./tokens";
