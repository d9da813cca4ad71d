export {
  type Application,
  type Credentials,
  createApplication,
  createPartner,
  suspendApplication,
  suspendPartner,
} from "./applications";
export { type AuthorizationRequest, type AuthorizationWish, identifyRequest, readWish } from "./authorization-request";
export { allow, consentToken, isConsentToken, refuse } from "./authorize";
export { grantOf } from "./bearer";
export type { Grant } from "./grants";
export { rotateSigningKey } from "./keys";
export { bearerChallenge, wellKnown } from "./metadata";
export { OAuthError } from "./oauth-error";
export {
  type ApplicationWish,
  createOwnApplication,
  deleteOwnApplication,
  endOldApplicationSecret,
  getOwnApplication,
  listOwnApplications,
  updateOwnApplication,
} from "./own-applications";
export { readBody } from "./parameters";
export {
  createOwnToken,
  listPersonalTokens,
  type PersonalToken,
  revokePersonalToken,
  type TokenWish,
  tokenDays,
} from "./personal-tokens";
export { answerRevocation } from "./revoke";
export { endOldSecret, type LiveSecret, liveSecrets, rotateApplicationSecret, rotatePartnerSecret } from "./rotate";
export { allows, allScopes, fromWords, type Scope, scopes } from "./scopes";
export { answerTokenRequest } from "./token-endpoint";
export { createPersonalToken } from "./tokens";
