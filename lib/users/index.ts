export { authOptions, sessionOf, sessionUser } from "./auth-options";
export {
  AddressTaken,
  allowsApplication,
  assertConfirmedAddress,
  assertStillAllowed,
  confirmEmail,
  OtherAccountSignedIn,
  requestConfirmation,
} from "./confirm";
export { assertNotBeingDeleted, BeingDeleted, deleteUser, isOwnerGone, userDeletionJob } from "./deletion";
export { addPasskey, beginPasskey, type PasskeySetup } from "./factors/add-passkey";
export {
  type AuthenticatorSetup,
  addAuthenticator,
  beginAuthenticator,
  type Factors,
  factorsOf,
  removeAuthenticator,
  sealedFactorColumns,
} from "./factors/authenticator";
export { hasFactor, lacksStaffFactor, removeAllFactors } from "./factors/changes";
export { askForPasskey } from "./factors/check-passkey";
export { hasPasskeys, listPasskeys, type Passkey, removePasskey, renamePasskey } from "./factors/passkeys";
export { renewRecoveryCodes } from "./factors/recovery";
export {
  changePassword,
  isResetToken,
  type Lockout,
  passwordResetJob,
  requestPasswordReset,
  resetPassword,
} from "./passwords";
export {
  assertFreshSession,
  createSession,
  FRESH_MINUTES,
  type ListedSession,
  listSessions,
  refreshAuthentication,
  revokeOtherSessions,
  revokeSession,
  type Session,
} from "./sessions";
export {
  halfSignedIn,
  type SignInResult,
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  signUp,
} from "./sign-in/steps";
export {
  changeName,
  createUser,
  findUser,
  getAddressOwner,
  getOwnUser,
  getUserByEmail,
  isOwnerActive,
  type OwnUser,
  setSuspended,
  type User,
} from "./users";
