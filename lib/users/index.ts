export { assertStays, BeingDeleted, deleteUser, deletion, type Erasure, isBeingDeleted, isOwnerGone } from "./deletion";
export { authOptions, sessionUser } from "./session";
export { createUser, findUser, getOwnUser, getUserByEmail, type OwnUser, setSuspended, type User } from "./users";
