import { createSession, findSession, type Session } from "../sessions";
import { findUser } from "../users";

/** Starts a session of a person, as a sign-in does. */
export async function newSession(userId: string): Promise<Session> {
  const user = await findUser(userId);
  const session = user && (await findSession(await createSession(user, {}), userId));
  if (!session) throw new Error("the person cannot sign in");
  return session;
}
