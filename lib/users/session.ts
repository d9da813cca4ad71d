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

/** The name of next-auth's session cookie, which has a prefix on https. */
const sessionCookie = `${secureCookies ? "__Secure-" : ""}next-auth.session-token`;

const Credentials = z.object({ email: z.string().max(254), password: z.string().max(1024) });

/** Written as an object, because next-auth's factory is a CommonJS default export that plain Node cannot call. */
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

/** The settings of next-auth: e-mail and password, a signed and encrypted session cookie, and our own pages. */
export const authOptions: NextAuthOptions = {
  secret: secretFor("session"),
  session: { strategy: "jwt", maxAge: SESSION_DAYS * 86_400 },
  useSecureCookies: secureCookies,
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [passwordProvider],
  callbacks: {
    // next-auth renews the cookie regularly. The session keeps this ID and epoch for its whole life.
    jwt: ({ token, user }) => (user ? { ...token, sid: randomToken(), epoch: user.sessionEpoch ?? 0 } : token),
  },
};

/** A signed-in person and the ID of this session, to which forms are bound. */
export type Session = { user: User; id: string };

/** Returns the session of a request's cookie; undefined if there is none, it has ended, or the person is gone. */
export async function sessionOf(headers: Headers): Promise<Session | undefined> {
  const claims = await claimsOf(headers);
  const user = claims?.sub ? await findUser(claims.sub) : undefined;
  // A new password ends every session of an earlier epoch. Cookies without an epoch belong to the first one.
  if ((claims?.epoch ?? 0) !== user?.sessionEpoch) return undefined;
  return user && { user, id: `${user.id} ${typeof claims?.sid === "string" ? claims.sid : ""}` };
}

/** Notifies every process that the session of this cookie has ended, so that they close its open streams. */
export async function announceSignOut(headers: Headers): Promise<void> {
  const session = await sessionOf(headers);
  if (!session) return;
  accessChanged(session.id);
  await db.execute(sql`select pg_notify('access_changed', ${session.id})`);
}

/** Returns the person of a request's session cookie. */
export async function sessionUser(headers: Headers): Promise<User | undefined> {
  return (await sessionOf(headers))?.user;
}

/** Returns the user ID in a request's session cookie, without asking the database. */
export async function sessionSubject(headers: Headers): Promise<string | undefined> {
  return (await claimsOf(headers))?.sub || undefined;
}

async function claimsOf(headers: Headers): Promise<JWT | null> {
  const token = cookieOf(headers, sessionCookie);
  return token ? decode({ token, secret: secretFor("session") }).catch(() => null) : null;
}
