export {
  type AllowedApplication,
  type ApplicationLockout,
  findRegistrar,
  listAllowedApplications,
  presentAllowedApplication,
  type Registrar,
  revokeAllowedApplication,
} from "./allowed-applications";
export {
  type Application,
  type Credentials,
  createApplication,
  createPartner,
  nameProblems,
  suspendApplication,
  suspendPartner,
} from "./applications";
export {
  type AuthorizationInput,
  type AuthorizationRequest,
  authorizationGranted,
  authorizationRefused,
  consentToken,
  findAuthorizationRequest,
  isConsentToken,
  readAuthorizationInput,
} from "./authorize";
export { findBearerGrant } from "./bearer";
export {
  endOldSecret,
  endPartnerCredentials,
  type LiveSecret,
  listLiveSecrets,
  retirePartnerSecret,
  rotateApplicationSecret,
  rotatePartnerSecret,
} from "./client-secrets";
export { OAuthError } from "./errors";
export { type Grant, recordGrantUse, revokeGrantsOfUser } from "./grants";
export { rotateSigningKey, sealedKeyColumns } from "./keys";
export { bearerChallenge, mcpChallenge, wellKnown } from "./metadata";
export {
  type ApplicationInput,
  createOwnApplication,
  deleteOwnApplication,
  endOldApplicationSecret,
  getOwnApplication,
  listOwnApplications,
  nameApplicationsOfUser,
  updateOwnApplication,
} from "./own-applications";
export { readOAuthBody } from "./parameters";
export {
  createOwnToken,
  listPersonalTokens,
  type PersonalToken,
  type PersonalTokenInput,
  revokePersonalToken,
  tokenDays,
} from "./personal-tokens";
export {
  type ApplicationScope,
  allScopes,
  applicationScopes,
  everyScope,
  hasScope,
  isApplicationScope,
  parseScopesLeniently,
  type Scope,
  scopes,
} from "./scopes";
export { answerRevocation, answerTokenRequest } from "./token-endpoint";
export { createPersonalToken } from "./tokens";
