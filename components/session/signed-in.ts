import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { sessionUser, type User } from "@/lib/users";

/** Who is signed in, asked once per page. */
export const currentUser = cache(async (): Promise<User | undefined> => sessionUser(await headers()));

/** Who is signed in; anybody else is sent to sign in and comes back to `path`. */
export async function signedIn(path: string): Promise<User> {
  const user = await currentUser();
  return user ?? redirect(path === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
