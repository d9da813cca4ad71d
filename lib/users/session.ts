import type { NextAuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { z } from "zod";
import { env } from "../env";
import { cookieOf } from "../http/cookies";
import { secretFor } from "../secrets";
import { findUser, signIn, type User } from "./users";

const SESSION_DAYS = 30;
const secureCookies = env.appUrl.startsWith("https:");

/** The name next-auth gives its session cookie: prefixed where the address is https. */
const sessionCookie = `${secureCookies ? "__Secure-" : ""}next-auth.session-token`;

const Credentials = z.object({ email: z.string().max(254), password: z.string().max(1024) });

/** Written out rather than made by next-auth's factory, whose CommonJS default export plain Node cannot call. */
const passwordProvider: CredentialsConfig = {
  id: "credentials",
  name: "E-mail and password",
  type: "credentials",
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(given) {
    const parsed = Credentials.safeParse(given);
    const user = parsed.success ? await signIn(parsed.data.email, parsed.data.password) : undefined;
    return user ? { id: user.id, email: user.email, name: user.name } : null;
  },
};

/** next-auth's settings: e-mail and password, a signed and encrypted session cookie, our own pages. */
export const authOptions: NextAuthOptions = {
  secret: secretFor("session"),
  session: { strategy: "jwt", maxAge: SESSION_DAYS * 86_400 },
  useSecureCookies: secureCookies,
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [passwordProvider],
};

/** Whose session cookie a request carries; undefined where there is none, it has ended, or the person is gone. */
export async function sessionUser(headers: Headers): Promise<User | undefined> {
  const id = await sessionSubject(headers);
  return id === undefined ? undefined : findUser(id);
}

/** The id in a request's session cookie, by the cookie alone. */
export async function sessionSubject(headers: Headers): Promise<string | undefined> {
  const token = cookieOf(headers, sessionCookie);
  if (!token) return undefined;
  const claims = await decode({ token, secret: secretFor("session") }).catch(() => null);
  return claims?.sub || undefined;
}
