import { eq, inArray, sql } from "drizzle-orm";
import { db, signInAttempts, type Tx } from "../../db";
import { subnetOf } from "../../http/client-address";
import { keptClientAddress } from "../../http/page-request";
import { macOf } from "../../secrets";

/**
 * Slows down guessing at one account. Each wrong password or code counts against the places it came from. The first ones are
 * free, then each doubles the wait until the next attempt. Nothing is ever locked: a wait ends by itself, and the account's
 * own browsers are counted apart from strangers, so that an attacker cannot make the owner wait there (OWASP, "device cookies").
 */
const limits = {
  /** Passwords from one network (an IPv4 address or an IPv6 /64). */
  network: { free: 5, longestSeconds: 900 },
  /** Passwords from all browsers in which the account has never signed in. */
  strangers: { free: 50, longestSeconds: 60 },
  /** Passwords and codes from one browser in which the account has signed in before. */
  browser: { free: 10, longestSeconds: 900 },
  /** Codes from all other browsers. A code has six digits only, and whoever gets here knows the password. */
  codes: { free: 5, longestSeconds: 3600 },
  /** Mails to one address that one network asked for. */
  networkMails: { free: 5, firstWaitSeconds: 300, longestSeconds: 3600 },
  /** The first mail to one address from each network. Networks that ask again and again do not use these up. */
  firstMails: { free: 20, firstWaitSeconds: 300, longestSeconds: 3600 },
  /** All other mails to one address. */
  laterMails: { free: 10, firstWaitSeconds: 300, longestSeconds: 3600 },
} satisfies { [kind: string]: Limit };

const FIRST_WAIT_SECONDS = 15;

type Limit = { free: number; firstWaitSeconds?: number; longestSeconds: number };

/** Where an attempt is counted. `id` tells places of one kind apart: the account, with the network or browser. */
export type AttemptPlace = { kind: keyof typeof limits; id: string };

/** After a day without an attempt, counting begins again. */
const FORGET_AFTER = sql`interval '1 day'`;

/** An attempt came before the wait was over. Nothing was checked. */
class MustWait extends Error {
  constructor(readonly seconds: number) {
    super(`Too many wrong attempts. The next one is possible in ${seconds} s`);
  }
}

/**
 * Counts an attempt as wrong before it is checked, so that many at once get no more guesses than one after the other.
 * `forgetAttempts` takes it back if it was right.
 * @throws MustWait if one of the places must wait; the attempt is then not counted
 */
export async function countAttempt(places: AttemptPlace[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const place of places) await countAt(tx, place);
    const old = tx
      .select({ key: signInAttempts.key })
      .from(signInAttempts)
      .where(sql`${signInAttempts.lastAt} < now() - ${FORGET_AFTER}`)
      .limit(20)
      .for("update", { skipLocked: true });
    await tx.delete(signInAttempts).where(inArray(signInAttempts.key, old));
  });
}

/** @returns how many attempts were counted at this place, this one included */
async function countAt(tx: Tx, place: AttemptPlace): Promise<number> {
  const key = keyOf(place);
  const { free, firstWaitSeconds = FIRST_WAIT_SECONDS, longestSeconds }: Limit = limits[place.kind];
  const { failures, lastAt } = signInAttempts;
  const wait = sql`case when ${failures} < ${free} then 0
    else least(${longestSeconds}::float8, ${firstWaitSeconds} * power(2, least(${failures} - ${free}, 20))) end`;
  const isForgotten = sql`${lastAt} < clock_timestamp() - ${FORGET_AFTER}`;
  const isOver = sql`${lastAt} + make_interval(secs => ${wait}) <= clock_timestamp()`;
  const [counted] = await tx
    .insert(signInAttempts)
    .values({ key, failures: 1, lastAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: signInAttempts.key,
      set: {
        failures: sql`case when ${isForgotten} then 1 else ${failures} + 1 end`,
        lastAt: sql`clock_timestamp()`,
      },
      setWhere: isOver,
    })
    .returning({ failures });
  if (counted) return counted.failures;
  const [row] = await tx
    .select({ seconds: sql<number>`ceil(extract(epoch from ${lastAt} - clock_timestamp()) + ${wait})::int` })
    .from(signInAttempts)
    .where(eq(signInAttempts.key, key));
  throw new MustWait(Math.max(1, row?.seconds ?? 1));
}

/**
 * Counts a mail that anybody can have sent to an address by typing it in. It counts against the network of the request. The
 * address has a budget for the first mail of each network and another one for all others, so that a few networks that ask again
 * and again neither flood the mailbox nor keep its owner, in another network, from getting a mail. The account does not matter:
 * the result must not reveal whether there is one, and a new account must not begin with a new budget (ADR 43).
 * @param account the address as `accountOf` returns it
 * @returns undefined, or the seconds to wait if the mail must not be sent now; it is then not counted
 */
export async function countMail(
  headers: Headers,
  purpose: "confirm" | "reset",
  account: string,
): Promise<number | undefined> {
  const id = `${purpose} ${account}`;
  return secondsToWait(() =>
    db.transaction(async (tx) => {
      const count = await countAt(tx, { kind: "networkMails", id: `${id} ${clientNetworkOf(headers)}` });
      await countAt(tx, { kind: count === 1 ? "firstMails" : "laterMails", id });
    }),
  );
}

/** Runs a function that counts attempts. @returns the seconds to wait if it threw `MustWait` */
export async function secondsToWait(count: () => Promise<void>): Promise<number | undefined> {
  try {
    await count();
    return undefined;
  } catch (error) {
    if (error instanceof MustWait) return error.seconds;
    throw error;
  }
}

/** The network of a client, as it is counted: an IPv4 address or an IPv6 /64. */
export function clientNetworkOf(headers: Headers): string {
  return subnetOf(keptClientAddress(headers) ?? "unknown");
}

/**
 * Takes back one attempt that was right. For a success that must not begin the count again: a stranger can sign up with
 * another person's address, and would otherwise get new free guesses at its password with each sign-in of their own.
 */
export async function uncountAttempt(places: AttemptPlace[]): Promise<void> {
  await db
    .update(signInAttempts)
    .set({ failures: sql`greatest(${signInAttempts.failures} - 1, 0)` })
    .where(inArray(signInAttempts.key, places.map(keyOf)));
}

/** After a success, counting begins again at these places. */
export async function forgetAttempts(places: AttemptPlace[]): Promise<void> {
  await db.delete(signInAttempts).where(inArray(signInAttempts.key, places.map(keyOf)));
}

function keyOf({ kind, id }: AttemptPlace): Buffer {
  return Buffer.from(macOf("sign-in", `attempts ${kind} ${id}`).mac, "base64url");
}
