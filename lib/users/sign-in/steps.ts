import { db } from "../../db";
import { audit } from "../../db/audit";
import { subnetOf } from "../../http/client-address";
import { keptClientAddress } from "../../http/page-request";
import { countRequest } from "../../http/rate-limit";
import { isAuthenticatorCode } from "../factors/authenticator";
import { hasFactor } from "../factors/changes";
import { checkPasskey } from "../factors/check-passkey";
import { redeemRecoveryCode } from "../factors/recovery";
import { authenticate, findUser, findUserByEmail, type User } from "../users";
import { type AttemptPlace, countAttempt, forgetAttempts, MustWait } from "./attempts";
import {
  accountOf,
  endedSecondStepCookie,
  knownBrowserCookies,
  knownBrowserOf,
  secondStepCookie,
  secondStepOf,
} from "./cookies";
import { newTicket, redeemTicket } from "./tickets";

/**
 * Signing in. A password is enough for a person without a second factor. Otherwise the browser gets a cookie that says "the
 * password was right", and a code, a recovery code or a passkey must follow within ten minutes. A passkey also signs in by
 * itself, because the device verifies its user. The last step returns a ticket, which next-auth exchanges for a session.
 */
export type SignInResult =
  | { kind: "wrong" }
  /** The password was not entered in this browser, or too long ago. */
  | { kind: "expired" }
  /** Too many wrong attempts came before this one; it was not checked. */
  | { kind: "wait"; seconds: number }
  | { kind: "secondStep"; cookies: string[] }
  /** The passkey is right, but since a password reset it works only after the password. */
  | { kind: "needsPassword" }
  /** The ticket is for next-auth. */
  | { kind: "done"; userId: string; ticket: string; cookies: string[] };

export async function signInWithPassword(headers: Headers, email: string, password: string): Promise<SignInResult> {
  const account = accountOf(email);
  const browserId = await knownBrowserOf(headers, account);
  const places: AttemptPlace[] = browserId
    ? [{ kind: "browser", id: `password ${account} ${browserId}` }]
    : [
        { kind: "network", id: `${account} ${subnetOf(keptClientAddress(headers) ?? "unknown")}` },
        { kind: "strangers", id: account },
      ];
  return counted({ kind: "password", account, places }, async () => {
    const user = await authenticate(email, password);
    if (!user) return { kind: "wrong" };
    if (!(await hasFactor(user.id))) return signedIn(headers, user);
    const facts = { userId: user.id, epoch: user.sessionEpoch, account };
    return { kind: "secondStep", cookies: [await secondStepCookie(facts)] };
  });
}

/** The second step with a code of the authenticator app or a recovery code. */
export async function signInWithCode(headers: Headers, code: string): Promise<SignInResult> {
  const user = await halfSignedIn(headers);
  if (!user) return { kind: "expired" };
  const account = accountOf(user.email);
  const browserId = await knownBrowserOf(headers, account);
  const place: AttemptPlace = browserId
    ? { kind: "browser", id: `code ${account} ${browserId}` }
    : { kind: "codes", id: user.id };
  return counted({ kind: "code", account, places: [place] }, async () => {
    const isRight = (await isAuthenticatorCode(user.id, code)) || (await redeemRecoveryCode(user.id, code));
    return isRight ? signedIn(headers, user) : { kind: "wrong" };
  });
}

type PasskeyAnswer = { ticket: string; credential: string };

/** Signs in with a passkey: by itself, or as the second step after the password. */
export async function signInWithPasskey(
  headers: Headers,
  { ticket, credential }: PasskeyAnswer,
  isSecondStep: boolean,
): Promise<SignInResult> {
  const half = isSecondStep ? await halfSignedIn(headers) : undefined;
  if (isSecondStep && !half) return { kind: "expired" };
  const checked = await checkPasskey(ticket, credential, half?.id);
  if (checked?.needsPassword) return { kind: "needsPassword" };
  const user = checked && (await findUser(checked.ownerId));
  return user ? signedIn(headers, user) : { kind: "wrong" };
}

/** The person whose password was entered in this browser and whose second step is missing. A new password ends this state. */
export async function halfSignedIn(headers: Headers): Promise<User | undefined> {
  const half = await secondStepOf(headers);
  const user = half && (await findUser(half.userId));
  return user && user.sessionEpoch === half?.epoch && accountOf(user.email) === half.account ? user : undefined;
}

/** Exchanges the ticket of a finished sign-in for its person, once. */
export async function userOfTicket(ticket: string): Promise<User | undefined> {
  const facts = await redeemTicket("session", ticket);
  const user = facts && (await findUser(facts.userId));
  return user && user.sessionEpoch === facts?.epoch ? user : undefined;
}

type Attempt = { kind: "password" | "code"; account: string; places: AttemptPlace[] };

async function counted(attempt: Attempt, check: () => Promise<SignInResult>): Promise<SignInResult> {
  const result = await checkedUnlessWaiting(attempt.places, check);
  if (result.kind === "wrong" || result.kind === "wait") await recordRefused(attempt);
  else await forgetAttempts(attempt.places);
  return result;
}

async function checkedUnlessWaiting(places: AttemptPlace[], check: () => Promise<SignInResult>): Promise<SignInResult> {
  try {
    await countAttempt(places);
  } catch (error) {
    if (error instanceof MustWait) return { kind: "wait", seconds: error.seconds };
    throw error;
  }
  return check();
}

/** So many refused passwords or codes of one account within a minute are written to the audit log, once. */
const BURST = 10;

/** Counts attempts that were wrong or came too early. A burst from one network mostly comes too early. */
async function recordRefused({ kind, account }: Attempt): Promise<void> {
  const { allowed, remaining } = await countRequest(`refused ${kind}`, account, BURST, true);
  if (!allowed || remaining > 0) return;
  const user = await findUserByEmail(account);
  const details = { kind, count: BURST };
  if (user) await audit(db, { action: "session.refused", actor: user, subject: user.id, details });
}

/** Every step succeeded. The browser is known to this account from now on. */
async function signedIn(headers: Headers, user: User): Promise<SignInResult> {
  const ticket = await newTicket("session", { userId: user.id, epoch: user.sessionEpoch });
  const cookies = [...(await knownBrowserCookies(headers, accountOf(user.email))), endedSecondStepCookie];
  return { kind: "done", userId: user.id, ticket, cookies };
}
