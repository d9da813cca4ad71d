export { connectable, dashboardReturn, locationAfter, popupReturn, rightPlace } from "./addresses";
export { type BotTalk, botTalkOf } from "./bot-talk";
export { botLoops } from "./bots";
export {
  type Branding,
  type BrandingChange,
  type BrandingSettings,
  brandingFrom,
  brandingOfOwner,
  brandingProblems,
  brandingSettings,
  logoOf,
  saveBranding,
} from "./branding";
export { countCall } from "./calls";
export { clientDocumentOf } from "./client-document";
export { completeAttempt } from "./complete";
export { type AuditLine, auditOf, consoleUser, consoleUsers } from "./console";
export { asFailure, ConnectFailed, type Failure, failureStatuses, type Whose } from "./failure";
export { isLanguage, type Language, languageFor, languages } from "./languages";
export { addMember, type Partner, partnerFor, partnersOf } from "./members";
export { type OpenedAttempt, openAttempt, openOrAsk, type Question, type Wish } from "./open";
export { type PartnerSettings, partnerSettings, savePartnerSettings } from "./partner-settings";
export { redirectUriProblem } from "./redirect-uri";
export { rehearsalWays } from "./rehearsals";
export {
  armRehearsal,
  type Rehearsed,
  rehearsalPerson,
  rehearsalPlatforms,
  rehearsedBy,
  startRehearsal,
} from "./rehearse";
export { restartUrl } from "./restart";
export { connectUrl, isPast, unsealState } from "./state";
export { type ConnectTrace, findTrace, listTraces, type Outcome, traceOfLink } from "./traces";
export { usageOf } from "./usage";
export { getConnectUser, getPartner, listConnectUsers, presentConnectUser, provisionConnectUser } from "./users";
export { connectWithPassword } from "./with-password";
export { connectWithoutBrowser } from "./without-browser";
