export { authOptions, type Session, sessionOf, sessionUser } from "./session";
export { createUser, findUser, getUserByEmail, setSuspended, type User } from "./users";
