export { assertStays, BeingDeleted, deleteUser, deletion, isOwnerGone } from "./deletion";
export { authOptions, type Session, sessionOf, sessionSubject, sessionUser } from "./session";
export { createUser, findUser, getOwnUser, getUserByEmail, type OwnUser, setSuspended, type User } from "./users";
