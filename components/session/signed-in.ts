import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Account, getAccount } from "@/lib/accounts";
import { NotFound } from "@/lib/errors";
import { sessionUser, type User } from "@/lib/users";

/** The signed-in user, read once per page. */
export const currentUser = cache(async (): Promise<User | undefined> => sessionUser(await headers()));

/** The signed-in user. Without one, redirects to the sign-in page, which returns to `path`. */
export async function signedIn(path: string): Promise<User> {
  const user = await currentUser();
  return user ?? redirect(path === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}

/** The signed-in user's account with the id in the page's address; otherwise a 404 page. */
export async function ownAccount(id: string, below: string): Promise<Account> {
  const user = await signedIn(`/accounts/${id}${below}`);
  if (!/^\d{1,15}$/.test(id)) notFound();
  try {
    return await getAccount(user.id, Number(id));
  } catch (error) {
    if (error instanceof NotFound) notFound();
    throw error;
  }
}
