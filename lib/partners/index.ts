export {
  accentOf,
  type Branding,
  type BrandingChange,
  type BrandingSettings,
  brandingFrom,
  brandingProblems,
  findBrandingForUser,
  findLogo,
  getBrandingSettings,
  saveBranding,
  shownAccent,
} from "./branding";
export {
  type ConnectUser,
  findConsoleUser,
  getConnectUser,
  listConnectUsers,
  listConsoleUsers,
  presentConnectUser,
  provisionConnectUser,
} from "./connect-users";
export { chooseLanguage, isLanguage, type PageLanguage, pageLanguages } from "./languages";
export { addPartnerMember, listMembers, type Member, removeMember, setMemberRole } from "./members";
export {
  beginSecretRotation,
  createPartnerSecret,
  endAllSecrets,
  findVisiblePartner,
  getPartner,
  getPartnerSettings,
  listPartnerAudit,
  listVisiblePartners,
  type Partner,
  type PartnerAuditEntry,
  type PartnerSettings,
  savePartnerSettings,
} from "./partners";
export { partnerRedirectProblem } from "./redirect-uri";
export { provisionRehearsalUser, type RehearsalUser, rehearsalPerson, rehearsalPlatforms } from "./rehearsal";
export { type ConsoleAction, canInConsole, memberRoles } from "./roles";
export { countAccountsToReconnect, countPartnerCall, listPartnerDays, listPartnerUsage, type UsageDay } from "./usage";
