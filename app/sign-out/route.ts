import { cookies } from "next/headers";
import { goTo, isOwnForm } from "@/components/session/requests";
import { endSession } from "@/components/session/next-auth";
import { announceSignOut } from "@/lib/users";

/** A form only: a link or an image elsewhere must not be able to sign anybody out. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnForm(request)) return goTo("/");
  const held = (await cookies()).getAll().map(({ name, value }) => [name, value]);
  await announceSignOut(request.headers);
  return goTo("/sign-in", await endSession(Object.fromEntries(held)));
}
