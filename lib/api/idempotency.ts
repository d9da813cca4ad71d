import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db, idempotencyKeys, surroundedByTransaction, type Tx } from "../db";
import { BadRequest, Conflict } from "../errors";

/** How long a first answer is given again. */
const LIFE = sql`interval '24 hours'`;

/** Does the work of a request, or gives the answer again that the same request had before. */
export type Once = (fingerprint: unknown, work: () => Promise<Response>) => Promise<Response>;

/**
 * What makes a request with an `Idempotency-Key` be done once for this owner and route; without one, work is simply done.
 * The key is kept in the transaction that does the work, so neither exists without the other. A refusal keeps nothing.
 * @param ownerId the user, or the partner where it calls in its own name
 * @throws BadRequest for a key that is empty or longer than 255 characters; Conflict where the key came with another body,
 * or where the first request is still running
 */
export function onceFor(request: Request, ownerId: string, route: string): Once {
  const key = request.headers.get("idempotency-key");
  if (key === null) return (_, work) => work();
  if (key.length < 1 || key.length > 255) throw new BadRequest("Idempotency-Key must have 1 to 255 characters");
  return async (fingerprint, work) => {
    const bodyHash = createHash("sha256").update(JSON.stringify(fingerprint)).digest();
    const replay = (row: Row) => answerAgain(row, bodyHash);
    const known = await find(db, ownerId, route, key);
    if (known) return replay(known);
    return surroundedByTransaction(async (tx) => {
      await lock(tx, `${ownerId} ${route} ${key}`);
      const justNow = await find(tx, ownerId, route, key);
      if (justNow) return replay(justNow);
      const answer = await work();
      await store(tx, { ownerId, route, key, bodyHash, status: answer.status, answer: await answer.clone().json() });
      return answer;
    });
  };
}

type Row = typeof idempotencyKeys.$inferSelect;

async function find(tx: Tx, ownerId: string, route: string, key: string): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.ownerId, ownerId),
        eq(idempotencyKeys.route, route),
        eq(idempotencyKeys.key, key),
        sql`${idempotencyKeys.createdAt} > now() - ${LIFE}`,
      ),
    );
  return row;
}

function answerAgain(row: Row, bodyHash: Buffer): Response {
  if (!row.bodyHash.equals(bodyHash)) throw new Conflict("Idempotency-Key was used before with another body");
  return Response.json(row.answer, { status: row.status, headers: { "Idempotency-Replayed": "true" } });
}

/** Of several requests with one key, one does the work and the others are told so. */
async function lock(tx: Tx, name: string): Promise<void> {
  const { rows } = await tx.execute<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`,
  );
  if (!rows[0]?.mine) throw new Conflict("A request with this Idempotency-Key is still running");
}

async function store(tx: Tx, row: typeof idempotencyKeys.$inferInsert): Promise<void> {
  const { bodyHash, status, answer } = row;
  await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.route, idempotencyKeys.key],
      set: { bodyHash, status, answer, createdAt: sql`now()` }, // only one that is past its life can be there
    });
}
