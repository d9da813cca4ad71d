import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Account, getAccount } from "@/lib/accounts";
import { NotFound } from "@/lib/errors";
import { parseId } from "@/lib/text";
import { lacksStaffFactor, type Session, sessionOf, type User } from "@/lib/users";

/**
 * The session of the page's request, read once per page; undefined also if the person is being deleted: what the page shows could
 * disappear while it is read.
 */
const currentSession = cache(async (): Promise<Session | undefined> => {
  const session = await sessionOf(await headers());
  return session?.user.deleting ? undefined : session;
});

/** The signed-in user. */
export async function currentUser(): Promise<User | undefined> {
  return (await currentSession())?.user;
}

/** The signed-in user. Without one, redirects to the sign-in page, which returns to `path`. */
export async function signedIn(path: string): Promise<User> {
  return (await signedInSession(path)).user;
}

/** Like `signedIn`, with the session. */
export async function signedInSession(path: string): Promise<Session> {
  const session = await currentSession();
  return session ?? redirect(path === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}

/** The signed-in user's account with the id in the page's address; otherwise a 404 page. */
export async function ownAccount(id: string, below: string): Promise<Account> {
  const user = await signedIn(`/accounts/${id}${below}`);
  const number = parseId(id);
  if (number === undefined) notFound();
  try {
    return await getAccount(user.id, number);
  } catch (error) {
    if (error instanceof NotFound) notFound();
    throw error;
  }
}

/** Explains that staff need a second factor first. */
export const STAFF_LOCKED = "/staff/second-factor";

/** Returns the signed-in staff member, with a second factor if the operator requires it; everyone else gets a 404. */
export async function staffOnly(path: string): Promise<User> {
  const user = await signedIn(path);
  if (!isStaff(user)) notFound();
  if (await lacksStaffFactor(user)) redirect(STAFF_LOCKED);
  return user;
}

/** Whether a user may read other users' data. */
export function isStaff({ role, suspended, deleting }: User): boolean {
  return role === "staff" && !suspended && !deleting;
}
