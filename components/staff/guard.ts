import { notFound } from "next/navigation";
import type { User } from "@/lib/users";
import { signedIn } from "../session/signed-in";

/** Returns the signed-in staff member; everyone else gets a 404. */
export async function staffOnly(path: string): Promise<User> {
  const user = await signedIn(path);
  if (!isStaff(user)) notFound();
  return user;
}

/** Whether a user may read other users' data. */
export function isStaff({ role, suspended, deleting }: User): boolean {
  return role === "staff" && !suspended && !deleting;
}
