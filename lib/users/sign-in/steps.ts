import { db } from "../../db";
import { audit } from "../../db/audit";
import { countRequest } from "../../http/rate-limit";
import { macOf } from "../../secrets";
import { isAuthenticatorCode } from "../factors/authenticator";
import { hasFactor } from "../factors/changes";
import { checkPasskey } from "../factors/check-passkey";
import { redeemRecoveryCode } from "../factors/recovery";
import { authenticate, findUser, parseSignUp, registerUser, type User, usersOfAddress } from "../users";
import {
  type AttemptPlace,
  clientNetworkOf,
  countAttempt,
  countMail,
  forgetAttempts,
  secondsToWait,
  uncountAttempt,
} from "./attempts";
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

/** @param userId only this person may sign in, for example because they are signed in already */
export async function signInWithPassword(
  headers: Headers,
  email: string,
  password: string,
  userId?: string,
): Promise<SignInResult> {
  return counted(
    await passwordAttempt(headers, accountOf(email)),
    () => authenticate(email, password, userId),
    (user) => passwordAccepted(headers, user),
  );
}

/** Signing in and signing up count together, because both check a password. */
async function passwordAttempt(headers: Headers, account: string): Promise<Attempt> {
  const browserId = await knownBrowserOf(headers, account);
  const network = clientNetworkOf(headers);
  const places: AttemptPlace[] = browserId
    ? [{ kind: "browser", id: `password ${account} ${browserId}` }]
    : [
        { kind: "network", id: `${account} ${network}` },
        { kind: "strangers", id: account },
      ];
  return { kind: "password", account, network, places };
}

async function passwordAccepted(headers: Headers, user: User): Promise<SignInResult> {
  if (!(await hasFactor(user.id))) return signedIn(headers, user, true);
  const facts = { userId: user.id, epoch: user.sessionEpoch, account: accountOf(user.email) };
  return { kind: "secondStep", cookies: [await secondStepCookie(facts)] };
}

/**
 * Signs up with an address and a password, and signs the new person in. Nobody but the owner of the mailbox learns whether the
 * address belongs to another person: the result is the same, and so is the work (ADR 43). If a person with this address and
 * password exists, signs that person in. So every other sign-up counts as a wrong password, also with a free address.
 * @returns never "wrong"
 * @throws BadRequest with a problem for each wrong field
 */
export async function signUp(
  headers: Headers,
  input: { email: string; password: string; name?: string },
): Promise<SignInResult> {
  const given = parseSignUp(input);
  const account = accountOf(given.email);
  const attempt = await passwordAttempt(headers, account);
  const seconds = await secondsToWait(() => countAttempt(attempt.places));
  if (seconds !== undefined) {
    await recordRefused(attempt);
    return { kind: "wait", seconds };
  }
  const sendsMail = (await countMail(headers, "confirm", account)) === undefined;
  const { user, isNew } = await registerUser(given, sendsMail);
  await (isNew ? recordRefused(attempt) : takeBack(attempt, user));
  return passwordAccepted(headers, user);
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
  const check = async () => {
    const isRight = (await isAuthenticatorCode(user.id, code)) || (await redeemRecoveryCode(user.id, code));
    return isRight ? user : undefined;
  };
  return counted({ kind: "code", account, network: clientNetworkOf(headers), places: [place] }, check, () =>
    signedIn(headers, user),
  );
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
  const checked = await checkPasskey(ticket, credential, half);
  if (checked?.needsPassword) return { kind: "needsPassword" };
  return checked ? signedIn(headers, checked.user) : { kind: "wrong" };
}

/** The person whose password was entered in this browser and whose second step is missing. A new password ends this state. */
export async function halfSignedIn(headers: Headers): Promise<User | undefined> {
  const half = await secondStepOf(headers);
  const user = half && (await findUser(half.userId));
  return user && user.sessionEpoch === half?.epoch && accountOf(user.email) === half.account ? user : undefined;
}

/** A person who may get a session. `isPasswordOnly`: the password was enough, because there was no second factor. */
export type SignedIn = { user: User; isPasswordOnly: boolean };

/** Exchanges the ticket of a finished sign-in for its person, once. */
export async function userOfTicket(ticket: string): Promise<SignedIn | undefined> {
  const facts = await redeemTicket("session", ticket);
  const user = facts && (await findUser(facts.userId));
  if (!facts || user?.sessionEpoch !== facts.epoch) return undefined;
  return { user, isPasswordOnly: facts.isPasswordOnly ?? false };
}

type Attempt = { kind: "password" | "code"; account: string; network: string; places: AttemptPlace[] };

/** @param check returns the person if the password or code is right */
async function counted(
  attempt: Attempt,
  check: () => Promise<User | undefined>,
  accept: (user: User) => Promise<SignInResult>,
): Promise<SignInResult> {
  const seconds = await secondsToWait(() => countAttempt(attempt.places));
  const user = seconds === undefined ? await check() : undefined;
  if (!user) {
    await recordRefused(attempt);
    return seconds === undefined ? { kind: "wrong" } : { kind: "wait", seconds };
  }
  await takeBack(attempt, user);
  return accept(user);
}

/** The attempt was right. */
async function takeBack({ places }: Attempt, user: User): Promise<void> {
  await (user.emailConfirmed ? forgetAttempts : uncountAttempt)(places);
}

/** So many refused passwords or codes of one address within a minute are written to the audit log, once. */
const BURST = 10;
/** The same for all addresses together that one network tried. Below `RATE_LIMIT_AUTH`, and several people can share a network. */
const NETWORK_BURST = 30;
/** How many entries a minute that name no account. Anyone can invent addresses, and the log is kept forever. */
const MOST_UNKNOWN = 10;

/** Counts attempts that were wrong or came too early. A burst from one network mostly comes too early. */
async function recordRefused({ kind, account, network }: Attempt): Promise<void> {
  const isBurst = await isLastOf(`refused ${kind}`, account, BURST);
  const isNetworkBurst = await isLastOf(`refused ${kind} of network`, network, NETWORK_BURST);
  if (isBurst) {
    const [user] = await usersOfAddress(account);
    const details = { kind, count: BURST };
    if (user) await audit(db, { action: "session.refused", actor: user, subject: user.id, details });
    else await recordUnknown("address", account, details);
  }
  if (isNetworkBurst) await recordUnknown("network", network, { kind, count: NETWORK_BURST });
}

async function isLastOf(policy: string, key: string, burst: number): Promise<boolean> {
  const { allowed, remaining } = await countRequest(policy, key, burst, true);
  return allowed && remaining === 0;
}

/** The entry has a keyed hash instead of the address, so that entries about the same one can be found (lib/db/schema/installation.ts). */
async function recordUnknown(what: "address" | "network", value: string, details: Burst): Promise<void> {
  const { allowed } = await countRequest("refused unknown", "", MOST_UNKNOWN, true);
  if (!allowed) return;
  const subject = `${what} ${macOf("sign-in", `refused ${what} ${value}`).mac.slice(0, 16)}`;
  await audit(db, { action: "session.refused", actor: "unknown", subject, details });
}

type Burst = { kind: Attempt["kind"]; count: number };

/**
 * Every step succeeded. The browser is known to this account from now on, if the address belongs to the person. Otherwise, a
 * stranger who signed up with it would be counted apart from other strangers.
 */
async function signedIn(headers: Headers, user: User, isPasswordOnly = false): Promise<SignInResult> {
  const ticket = await newTicket("session", { userId: user.id, epoch: user.sessionEpoch, isPasswordOnly });
  const known = user.emailConfirmed ? await knownBrowserCookies(headers, accountOf(user.email)) : [];
  return { kind: "done", userId: user.id, ticket, cookies: [...known, endedSecondStepCookie] };
}
