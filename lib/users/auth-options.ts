import type { NextAuthOptions } from "next-auth";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { z } from "zod";
import { env } from "../env";
import { NotFound, Unauthorized } from "../errors";
import { cookieOf } from "../http/headers";
import { keptClientAddress } from "../http/page-request";
import { log } from "../log";
import { secretFor, secretsFor } from "../secrets";
import { createSession, findSession, revokeSession, SESSION_DAYS, type Session } from "./sessions";
import { type SignedIn, signInWithPassword, userOfTicket } from "./sign-in/steps";
import type { User } from "./users";

declare module "next-auth" {
  interface User {
    /** The ID of the session that has just started. */
    sid?: string;
  }
}

const secureCookies = env.appUrl.startsWith("https:");

/** The name of next-auth's session cookie, which has a prefix on https. */
const sessionCookie = `${secureCookies ? "__Secure-" : ""}next-auth.session-token`;

/** Text that PostgreSQL can search for. */
const Address = z
  .string()
  .max(254)
  .refine((text) => !text.includes("\0") && text.isWellFormed());

/** A password, or the ticket of a finished sign-in on our own pages. */
const Credentials = z.union([
  z.object({ ticket: z.string().max(4096) }),
  z.object({ email: Address, password: z.string().max(1024) }),
]);

/** Written as an object, because next-auth's factory is a CommonJS default export that plain Node cannot call. */
const passwordProvider: CredentialsConfig = {
  id: "credentials",
  name: "Email and password",
  type: "credentials",
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(given, { headers = {} }) {
    const parsed = Credentials.safeParse(given);
    const sent = new Headers(headers);
    return parsed.success ? withoutDetails(() => signIn(parsed.data, sent)) : null;
  },
};

/** The password is not enough. next-auth shows the message to the browser, so it is a code for the sign-in page (`?error=`). */
class MoreIsNeeded extends Error {}

/** Logs an unexpected error, because next-auth would show its message, for example a query of the database, to the browser. */
async function withoutDetails<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MoreIsNeeded) throw error;
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "a sign-in failed");
    throw new Error("fault");
  }
}

async function signIn(given: z.output<typeof Credentials>, sent: Headers) {
  const signedIn = await signedInBy(given, sent);
  if (!signedIn) return null;
  const { user, isPasswordOnly } = signedIn;
  const source = { userAgent: sent.get("user-agent") ?? undefined, address: keptClientAddress(sent) };
  const sid = await createSession(user, { ...source, isPasswordOnly });
  return { id: user.id, email: user.email, name: user.name, sid };
}

/** @throws MoreIsNeeded */
async function signedInBy(given: z.output<typeof Credentials>, headers: Headers): Promise<SignedIn | undefined> {
  if ("ticket" in given) return userOfTicket(given.ticket);
  const result = await signInWithPassword(headers, given.email, given.password);
  if (result.kind === "done") return userOfTicket(result.ticket);
  if (result.kind !== "wrong") throw new MoreIsNeeded(result.kind);
}

/** The settings of next-auth: email and password, a signed and encrypted session cookie, and our own pages. */
export const authOptions: NextAuthOptions = {
  get secret() {
    return secretFor("session"); // not before the settings are checked, because it may write to DATA_DIR
  },
  session: { strategy: "jwt", maxAge: SESSION_DAYS * 86_400 },
  jwt: { decode: ({ token }) => decodeWithAnyKey(token) },
  useSecureCookies: secureCookies,
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [passwordProvider],
  callbacks: {
    /** At the sign-in, puts the session's ID into the cookie. Later, next-auth renews the cookie unless this throws. */
    async jwt({ token, user }) {
      if (user) return { ...token, sid: user.sid };
      if (!(await sessionIn(token))) throw new Unauthorized();
      return token;
    },
  },
  events: {
    async signOut({ token }) {
      if (token?.sub) await endSignedOut(token.sub, sidOf(token));
    },
  },
};

/** Signing out of a session that has ended already is not an error. */
async function endSignedOut(userId: string, sid: string): Promise<void> {
  try {
    await revokeSession(userId, sid);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** Returns the session of a request's cookie; undefined if there is none, it has ended, or the person is gone. */
export async function sessionOf(headers: Headers): Promise<Session | undefined> {
  return sessionIn(await claimsOf(headers));
}

async function sessionIn(claims: JWT | null): Promise<Session | undefined> {
  const sid = z.uuid().safeParse(claims?.sid);
  return claims?.sub && sid.success ? findSession(sid.data, claims.sub) : undefined;
}

/** Returns the person of a request's session cookie; undefined also if they are being deleted. */
export async function sessionUser(headers: Headers): Promise<User | undefined> {
  const user = (await sessionOf(headers))?.user;
  return user?.deleting ? undefined : user;
}

async function claimsOf(headers: Headers): Promise<JWT | null> {
  const token = cookieOf(headers, sessionCookie);
  return decodeWithAnyKey(token);
}

/** A new key in front of the old ones signs nobody out: a cookie of an old key is read, and renewed with the newest. */
async function decodeWithAnyKey(token: JWTDecodeParams["token"]): Promise<JWT | null> {
  if (!token) return null;
  for (const secret of secretsFor("session")) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

function sidOf({ sid }: JWT): string {
  return typeof sid === "string" ? sid : "";
}
