import { notFound } from "next/navigation";
import type { User } from "@/lib/users";
import { signedIn } from "../session/signed-in";

/** Somebody of the staff; for everybody else there is no such page. */
export async function staffOnly(path: string): Promise<User> {
  const user = await signedIn(path);
  if (!isStaff(user)) notFound();
  return user;
}

/** Whether somebody may read what is others'. */
export function isStaff({ role, suspended, deleting }: User): boolean {
  return role === "staff" && !suspended && !deleting;
}
