import { SignJWT } from "jose";
import * as z from "zod";
import { fingerprint, randomToken } from "../core/ids";
import type { Call } from "../core/network";
import { authenticate, bySession, credentialOf, takeCall } from "./access";
import { authRequired, expiredToken, invalidRequest } from "./errors";
import { didOf, documentOf, findUser, handleOf } from "./identity";
import type { AppSession, BlueskyState } from "./state";

const HOUR = 3600;
const ACCESS_SECONDS = 2 * HOUR;
const REFRESH_SECONDS = 90 * 86_400;
const GRACE_SECONDS = 2 * HOUR;
const KEY = new TextEncoder().encode("signs sandbox tokens, only for their format");

/** The app password of every sandbox user, until it is revoked, and the main password, which requires a sign-in code. */
export const APP_PASSWORD = "sand-box7-pass-word";
export const MAIN_PASSWORD = "the main password";

const Credentials = z.object({ identifier: z.string(), password: z.string(), authFactorToken: z.string().optional() });

/** `com.atproto.server.createSession` */
export async function createSession(state: BlueskyState, call: Call): Promise<Response> {
  const body = Credentials.safeParse(await call.req.json().catch(() => undefined));
  if (!body.success) throw invalidRequest("Input must have the properties identifier and password");
  const { identifier, password } = body.data;
  takeCall(state, call, `sign-in/5/${identifier}`, 30, 300);
  takeCall(state, call, `sign-in/day/${identifier}`, 300, 86_400);
  const account = findUser(state, identifier);
  if (!account) throw authRequired("Invalid identifier or password");
  if (password === MAIN_PASSWORD)
    throw authRequired("A sign in code has been sent to your email address", "AuthFactorTokenRequired");
  const facts = state.accounts.get(account);
  if (password !== APP_PASSWORD || facts?.isPasswordRevoked) throw authRequired("Invalid identifier or password");
  if (facts?.status === "takendown") throw authRequired("Account has been taken down", "AccountTakedown");
  call.get("entry").account = account;
  return call.json({ ...(await pairOf(state, account, randomToken(9))), ...about(state, call, account) });
}

/** `com.atproto.server.refreshSession`: for two hours, a used token returns the same pair again. */
export async function refreshSession(state: BlueskyState, call: Call): Promise<Response> {
  const { token } = credentialOf(call);
  if (!token) throw authRequired("Authentication Required", "AuthMissing");
  const { account, family } = bySession(state, token, "refresh");
  call.get("entry").account = account;
  const key = fingerprint(token);
  const session = state.sessions.get(key) as AppSession; // `bySession` has checked that it exists
  if (session.next && session.next.until <= state.world.clock.now()) throw expiredToken("Token has been revoked");
  const pair = session.next ?? (await pairOf(state, account, family));
  const until = session.next?.until ?? state.world.clock.now() + GRACE_SECONDS * 1000;
  const { accessJwt, refreshJwt } = pair;
  state.sessions.put(key, { ...session, next: { accessJwt, refreshJwt, until } });
  return call.json({ accessJwt, refreshJwt, ...about(state, call, account) });
}

/** `com.atproto.server.deleteSession` */
export function deleteSession(state: BlueskyState, call: Call): Response {
  const { account, family } = bySession(state, credentialOf(call).token, "refresh");
  call.get("entry").account = account;
  state.endedFamilies.put(family, true);
  return call.body(null, 200);
}

/** `com.atproto.server.getSession` */
export async function getSession(state: BlueskyState, call: Call): Promise<Response> {
  const { account } = await authenticate(state, call);
  return call.json(about(state, call, account));
}

function about(state: BlueskyState, call: Call, account: string) {
  const { status } = state.accounts.get(account) ?? {};
  const activity = status ? { active: false, status } : { active: true };
  return {
    did: didOf(account),
    handle: handleOf(state, account),
    didDoc: documentOf(state, call, account),
    ...activity,
  };
}

async function pairOf(state: BlueskyState, account: string, family: string) {
  const issue = async (kind: AppSession["kind"], seconds: number) => {
    // `exp` follows the real clock, which the caller uses. The sandbox enforces `expiresAt`, by its own clock.
    const jwt = await new SignJWT({ scope: kind === "access" ? "com.atproto.appPass" : "com.atproto.refresh" })
      .setProtectedHeader({ alg: "HS256", typ: kind === "access" ? "at+jwt" : "refresh+jwt" })
      .setSubject(didOf(account))
      .setJti(randomToken(12))
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(KEY);
    const expiresAt = state.world.clock.now() + seconds * 1000;
    state.sessions.put(fingerprint(jwt), { account, kind, family, expiresAt });
    return jwt;
  };
  return { accessJwt: await issue("access", ACCESS_SECONDS), refreshJwt: await issue("refresh", REFRESH_SECONDS) };
}

/** Revokes the app password: refresh tokens end at once, access tokens when they expire. */
export function revokeAppPassword(state: BlueskyState, account: string): void {
  state.accounts.put(account, { ...state.accounts.get(account), isPasswordRevoked: true });
  for (const session of state.sessions.values())
    if (session.account === account) state.endedFamilies.put(session.family, true);
}
