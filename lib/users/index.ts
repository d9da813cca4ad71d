export { assertStays, BeingDeleted, deleteUser, deletion, isOwnerGone } from "./deletion";
export { authOptions, type Session, sessionOf, sessionSubject, sessionUser } from "./session";
export { createUser, getOwnUser, getUserByEmail, type OwnUser, setSuspended, type User } from "./users";
