import { randomUUID } from "node:crypto";
import { env } from "../../env";
import { cookieOf } from "../../http/headers";
import { macsOf } from "../../secrets";
import { newTicket, readTicket, type TicketFacts, ticketSeconds } from "./tickets";

const secure = env.appUrl.startsWith("https:");
const prefix = secure ? "__Host-" : "";
const FLAGS = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Holds the half-signed-in state: the password was right, and the second step is missing. */
const SECOND_STEP = `${prefix}second_step`;

export async function secondStepCookie(facts: TicketFacts<"secondStep">): Promise<string> {
  return `${SECOND_STEP}=${await newTicket("secondStep", facts)}; ${FLAGS}; Max-Age=${ticketSeconds("secondStep")}`;
}

export const endedSecondStepCookie = `${SECOND_STEP}=; ${FLAGS}; Max-Age=0`;

export async function secondStepOf(headers: Headers): Promise<TicketFacts<"secondStep"> | undefined> {
  return readTicket("secondStep", cookieOf(headers, SECOND_STEP) ?? "");
}

/** The address as it is compared and counted. */
export function accountOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 254);
}

/**
 * One cookie per account, so that several people can share a browser. The name does not reveal the address. Returns the name of
 * a new cookie first, and then those that older keys made.
 */
function knownBrowserNames(account: string): string[] {
  return macsOf("known browser", account).map((mac) => `${prefix}known_${mac.slice(0, 16)}`);
}

/** Returns the ID of a browser in which this account has signed in before ("device cookie", OWASP). */
export async function knownBrowserOf(headers: Headers, account: string): Promise<string | undefined> {
  for (const name of knownBrowserNames(account)) {
    const known = await readTicket("knownBrowser", cookieOf(headers, name) ?? "");
    if (known?.account === account) return known.browserId;
  }
  return undefined;
}

/**
 * Returns the cookies that make this browser known for an account; none if it is known already.
 * @param browserId attempts from browsers with the same ID are counted together
 */
export async function knownBrowserCookies(
  headers: Headers,
  account: string,
  browserId: string = randomUUID(),
): Promise<string[]> {
  if (await knownBrowserOf(headers, account)) return [];
  const ticket = await newTicket("knownBrowser", { account, browserId });
  const [name] = knownBrowserNames(account);
  return [`${name}=${ticket}; ${FLAGS}; Max-Age=${ticketSeconds("knownBrowser")}`];
}
