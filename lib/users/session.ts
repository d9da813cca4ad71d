import { sql } from "drizzle-orm";
import type { NextAuthOptions } from "next-auth";
import { decode, type JWT } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { z } from "zod";
import { db } from "../db";
import { accessChanged } from "../db/access";
import { env } from "../env";
import { cookieOf } from "../http/headers";
import { randomToken, secretFor } from "../secrets";
import { authenticate, findUser, type User } from "./users";

declare module "next-auth" {
  interface User {
    sessionEpoch?: number;
  }
}

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
    const user = parsed.success ? await authenticate(parsed.data.email, parsed.data.password) : undefined;
    return user ? { id: user.id, email: user.email, name: user.name, sessionEpoch: user.sessionEpoch } : null;
  },
};

/** next-auth's settings: e-mail and password, a signed and encrypted session cookie, our own pages. */
export const authOptions: NextAuthOptions = {
  secret: secretFor("session"),
  session: { strategy: "jwt", maxAge: SESSION_DAYS * 86_400 },
  useSecureCookies: secureCookies,
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [passwordProvider],
  callbacks: {
    // next-auth writes the cookie anew ever so often; this names the session, and when it began, as long as it lasts.
    jwt: ({ token, user }) => (user ? { ...token, sid: randomToken(), epoch: user.sessionEpoch ?? 0 } : token),
  },
};

/** A signed-in person, and what tells this session from their others: forms are bound to it. */
export type Session = { user: User; id: string };

/** The session whose cookie a request carries; undefined where there is none, it has ended, or the person is gone. */
export async function sessionOf(headers: Headers): Promise<Session | undefined> {
  const claims = await claimsOf(headers);
  const user = claims?.sub ? await findUser(claims.sub) : undefined;
  // A new password ended every session that began before it; a cookie of before there were epochs is of the first.
  if ((claims?.epoch ?? 0) !== user?.sessionEpoch) return undefined;
  return user && { user, id: `${user.id} ${typeof claims?.sid === "string" ? claims.sid : ""}` };
}

/** Tells every process that the session of this cookie has ended, so that what it holds open ends with it. */
export async function announceSignOut(headers: Headers): Promise<void> {
  const session = await sessionOf(headers);
  if (!session) return;
  accessChanged(session.id);
  await db.execute(sql`select pg_notify('access_changed', ${session.id})`);
}

/** Who is signed in, by the session cookie of a request. */
export async function sessionUser(headers: Headers): Promise<User | undefined> {
  return (await sessionOf(headers))?.user;
}

/** The id in a request's session cookie, by the cookie alone. */
export async function sessionSubject(headers: Headers): Promise<string | undefined> {
  return (await claimsOf(headers))?.sub || undefined;
}

async function claimsOf(headers: Headers): Promise<JWT | null> {
  const token = cookieOf(headers, sessionCookie);
  return token ? decode({ token, secret: secretFor("session") }).catch(() => null) : null;
}
