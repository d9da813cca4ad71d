import { eq, inArray, sql } from "drizzle-orm";
import { db, signInAttempts, type Tx } from "../../db";
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
  /** Sign-ups with one address from one network. */
  signUps: { free: 10, longestSeconds: 900 },
  /** Codes from all other browsers. A code has six digits only, and whoever gets here knows the password. */
  codes: { free: 5, longestSeconds: 3600 },
};

const FIRST_WAIT_SECONDS = 15;

/** Where an attempt is counted. `id` tells places of one kind apart: the account, with the network or browser. */
export type AttemptPlace = { kind: keyof typeof limits; id: string };

/** After a day without an attempt, counting begins again. */
const FORGET_AFTER = sql`interval '1 day'`;

/** An attempt came before the wait was over. Nothing was checked. */
export class MustWait extends Error {
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

async function countAt(tx: Tx, place: AttemptPlace): Promise<void> {
  const key = keyOf(place);
  const { free, longestSeconds } = limits[place.kind];
  const { failures, lastAt } = signInAttempts;
  const wait = sql`case when ${failures} < ${free} then 0
    else least(${longestSeconds}::float8, ${FIRST_WAIT_SECONDS} * power(2, least(${failures} - ${free}, 20))) end`;
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
  if (counted) return;
  const [row] = await tx
    .select({ seconds: sql<number>`ceil(extract(epoch from ${lastAt} - clock_timestamp()) + ${wait})::int` })
    .from(signInAttempts)
    .where(eq(signInAttempts.key, key));
  throw new MustWait(Math.max(1, row?.seconds ?? 1));
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
