export { eraseMail, oldMailLoop } from "./clean";
export { getKeptMail, type KeptMail, listKeptMails, listMails } from "./kept";
export { noticeWords } from "./kinds";
export {
  getMailPreferences,
  readSubscription,
  setMailPreferences,
  setSubscribed,
} from "./preferences";
export { queueMail } from "./queue";
export { getQuietHours, presentQuietHours, setQuietHours } from "./quiet";
export { sendMail } from "./send";
export { findToken, useToken } from "./tokens";
