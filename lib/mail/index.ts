export { eraseMail, oldMailLoop } from "./clean";
export { getKeptMail, type KeptMail, listKeptMails, listMails } from "./kept";
export { type NoticeKind, noticeWords } from "./kinds";
export {
  getMailPreferences,
  type MailPreferences,
  readSubscription,
  setMailPreferences,
  setSubscribed,
} from "./preferences";
export { queueMail } from "./queue";
export { sendMail } from "./send";
export { findToken, useToken } from "./tokens";
