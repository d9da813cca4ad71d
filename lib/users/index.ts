export { authOptions, sessionUser } from "./session";
export { createUser, findUser, getUserByEmail, setSuspended, type User } from "./users";
