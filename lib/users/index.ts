export { askToConfirm, confirmEmail } from "./confirm";
export { assertStays, BeingDeleted, deleteUser, deletion, isOwnerGone } from "./deletion";
export { forgotPassword, isResetToken, passwordForgotten, resetPassword } from "./reset";
export { announceSignOut, authOptions, type Session, sessionOf, sessionSubject, sessionUser } from "./session";
export { createUser, getOwnUser, getUserByEmail, type OwnUser, setSuspended, type User } from "./users";
