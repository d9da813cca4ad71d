import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { sessionUser, type User } from "@/lib/users";

/** The signed-in user, read once per page. */
export const currentUser = cache(async (): Promise<User | undefined> => sessionUser(await headers()));

/** The signed-in user. Without one, redirects to the sign-in page, which returns to `path`. */
export async function signedIn(path: string): Promise<User> {
  const user = await currentUser();
  return user ?? redirect(path === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
