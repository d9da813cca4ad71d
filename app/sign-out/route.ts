import { cookies } from "next/headers";
import { endSession } from "@/components/session/next-auth";
import { goTo, isOwnForm } from "@/components/session/requests";

/** Only by POST: a link or an image on another site must not sign the user out. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnForm(request)) return goTo("/");
  const held = (await cookies()).getAll().map(({ name, value }) => [name, value]);
  return goTo("/sign-in", await endSession(Object.fromEntries(held)));
}
