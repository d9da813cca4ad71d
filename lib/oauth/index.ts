export {
  type Application,
  type Credentials,
  createApplication,
  createPartner,
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
  type LiveSecret,
  listLiveSecrets,
  rotateApplicationSecret,
  rotatePartnerSecret,
} from "./client-secrets";
export { OAuthError } from "./errors";
export type { Grant } from "./grants";
export { rotateSigningKey } from "./keys";
export { bearerChallenge, wellKnown } from "./metadata";
export {
  type ApplicationInput,
  createOwnApplication,
  deleteOwnApplication,
  endOldApplicationSecret,
  getOwnApplication,
  listOwnApplications,
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
export { allScopes, hasScope, parseScopesLeniently, type Scope, scopes } from "./scopes";
export { answerRevocation, answerTokenRequest } from "./token-endpoint";
export { createPersonalToken } from "./tokens";
