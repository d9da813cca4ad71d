import { randomUUID } from "node:crypto";
import { lt, sql } from "drizzle-orm";
import { z } from "zod";
import { databaseNow, dbOrTransaction, type Tx, usedTickets } from "../../db";
import { fromBase64Url, type KeyPurpose, seal, toBase64Url, unseal } from "../../secrets";

/**
 * Facts that a browser keeps for us between two steps of signing in, in a cookie or a hidden field. They are encrypted, so the
 * browser can neither read nor change them, and one kind is never accepted as another.
 */
const kinds = {
  /** The person may get a session now: every step succeeded. */
  session: {
    seconds: 60,
    facts: z.object({ userId: z.uuid(), epoch: z.number(), isPasswordOnly: z.boolean().optional() }),
  },
  /** The password was right, and the second step is missing. */
  secondStep: { seconds: 600, facts: z.object({ userId: z.uuid(), epoch: z.number(), account: z.string() }) },
  /** The secret of an authenticator app that is being set up. */
  authenticator: { seconds: 1800, facts: z.object({ userId: z.uuid(), secret: z.string() }) },
  /** The challenge of a passkey that is being added. */
  newPasskey: { seconds: 600, facts: z.object({ userId: z.uuid(), challenge: z.string() }) },
  /** The challenge of a sign-in with a passkey. */
  passkey: { seconds: 600, facts: z.object({ challenge: z.string() }) },
  /** This browser has signed in to this account before. Its key stays valid longer than the others (lib/secrets.ts). */
  knownBrowser: {
    seconds: 365 * 86_400,
    facts: z.object({ account: z.string(), browserId: z.uuid() }),
    purpose: "known browser",
  },
} satisfies { [kind: string]: Kind };

type Kind = { seconds: number; facts: z.ZodType; purpose?: KeyPurpose };

function purposeOf(kind: TicketKind): KeyPurpose {
  const { purpose = "sign-in" }: Kind = kinds[kind];
  return purpose;
}

type TicketKind = keyof typeof kinds;
export type TicketFacts<K extends TicketKind> = z.output<(typeof kinds)[K]["facts"]>;

const Sealed = z.object({ id: z.uuid(), until: z.number(), facts: z.unknown() });
const MAX_LENGTH = 4096;

/** How long a ticket of this kind is valid, for the cookie that holds it. */
export function ticketSeconds(kind: TicketKind): number {
  return kinds[kind].seconds;
}

export async function newTicket<K extends TicketKind>(kind: K, facts: TicketFacts<K>): Promise<string> {
  const until = (await databaseNow()).getTime() + kinds[kind].seconds * 1000;
  return toBase64Url(seal(purposeOf(kind), kind, JSON.stringify({ id: randomUUID(), until, facts })));
}

/** Returns a ticket's facts; undefined if it is expired, of another kind, or not ours. It can be read again. */
export async function readTicket<K extends TicketKind>(kind: K, text: string): Promise<TicketFacts<K> | undefined> {
  return (await unsealTicket(kind, text))?.facts;
}

/** Like `readTicket`, but only the first call for a ticket succeeds. */
export async function redeemTicket<K extends TicketKind>(
  kind: K,
  text: string,
  tx: Tx = dbOrTransaction,
): Promise<TicketFacts<K> | undefined> {
  const ticket = await unsealTicket(kind, text);
  if (!ticket) return undefined;
  await tx.delete(usedTickets).where(lt(usedTickets.expiresAt, sql`now()`));
  const expiresAt = new Date(ticket.until).toISOString();
  const [used] = await tx.insert(usedTickets).values({ id: ticket.id, expiresAt }).onConflictDoNothing().returning();
  return used && ticket.facts;
}

async function unsealTicket<K extends TicketKind>(kind: K, text: string) {
  const sealed = text.length <= MAX_LENGTH ? fromBase64Url(text) : undefined;
  const opened = sealed && Sealed.safeParse(jsonIn(kind, sealed));
  if (!opened?.success || opened.data.until <= (await databaseNow()).getTime()) return undefined;
  const { id, until, facts } = opened.data;
  return { id, until, facts: factsOf(kind, facts) };
}

function jsonIn(kind: TicketKind, sealed: Buffer): unknown {
  try {
    return JSON.parse(unseal(purposeOf(kind), kind, sealed));
  } catch {
    return undefined; // not sealed by us, or with a key that was removed
  }
}

/** The schema of a kind parses exactly the facts of that kind; TypeScript cannot follow the lookup by name. */
function factsOf<K extends TicketKind>(kind: K, facts: unknown): TicketFacts<K> {
  return kinds[kind].facts.parse(facts) as TicketFacts<K>;
}
