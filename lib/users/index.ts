export { confirmEmail, requestConfirmation } from "./confirm";
export { assertNotBeingDeleted, BeingDeleted, deleteUser, isOwnerGone, userDeletionJob } from "./deletion";
export { isResetToken, passwordResetJob, requestPasswordReset, resetPassword } from "./reset";
export { announceSignOut, authOptions, type Session, sessionOf, sessionSubject, sessionUser } from "./session";
export { createUser, getOwnUser, getUserByEmail, type OwnUser, setSuspended, type User } from "./users";
