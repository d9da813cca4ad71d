import { staffLockedPage } from "@/components/staff/pages";

/** Where the staff pages lead without the second factor that the operator requires. */
export function GET(): Response {
  return staffLockedPage();
}
