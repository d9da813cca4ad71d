import { notFound, redirect } from "next/navigation";
import { lacksStaffFactor, type User } from "@/lib/users";
import { signedIn } from "../session/signed-in";

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
