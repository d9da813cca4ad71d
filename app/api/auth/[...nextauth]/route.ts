import NextAuth from "next-auth";
import { isDatabaseTroubled } from "@/lib/db";
import { authOptions, sessionOf } from "@/lib/users";

const handler = NextAuth(authOptions);
type Context = { params: Promise<{ nextauth: string[] }> };

/**
 * next-auth treats every error as "signed out" or "wrong password": it removes the cookie or shows the sign-in page again. So
 * an error of the database is thrown here, and server.ts answers with 503.
 */
async function answer(request: Request, context: Context): Promise<Response> {
  await sessionOf(request.headers);
  const response: Response = await handler(request, context);
  if (isFault(response) && isDatabaseTroubled()) throw new Error("a sign-in failed because of the database");
  return response;
}

/** True if `authorize` (lib/users/auth-options.ts) failed: next-auth answers with a redirect, or with 401 if it was asked for JSON. */
function isFault({ status, headers }: Response): boolean {
  return status === 401 || /[?&]error=fault/.test(headers.get("location") ?? "");
}

export { answer as GET, answer as POST };
