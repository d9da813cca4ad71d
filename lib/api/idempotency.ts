import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db, idempotencyKeys, type Tx } from "../db";
import { BadRequest, Conflict } from "../errors";

/** How long a first answer is given again. */
const LIFE = sql`interval '24 hours'`;

/** A request with an `Idempotency-Key`: the answer that was given before, or the way to keep the one that is being made. */
export type Idempotent = { replay?: unknown; remember(tx: Tx, answer: unknown): Promise<void> };

/**
 * Looks the request's `Idempotency-Key` up, for this owner and route; undefined where it carries none.
 * @throws BadRequest for a key that is empty or longer than 255 characters; Conflict where the key came with another body
 */
export async function idempotencyOf(
  request: Request,
  ownerId: string,
  route: string,
  body: unknown,
): Promise<Idempotent | undefined> {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length < 1 || key.length > 255) throw new BadRequest("Idempotency-Key must have 1 to 255 characters");
  const bodyHash = createHash("sha256").update(JSON.stringify(body)).digest();
  const [known] = await db
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
  if (known && !known.bodyHash.equals(bodyHash))
    throw new Conflict("Idempotency-Key was used before with another body");
  return {
    replay: known?.answer,
    remember: (tx, answer) => remember(tx, { ownerId, route, key, bodyHash, answer }),
  };
}

/** In the transaction that does the work: of several requests with one key, one does it and the others are told so. */
async function remember(tx: Tx, row: typeof idempotencyKeys.$inferInsert): Promise<void> {
  const lock = sql`select pg_try_advisory_xact_lock(hashtextextended(${`${row.ownerId} ${row.route} ${row.key}`}, 0)) as mine`;
  const { rows } = await tx.execute<{ mine: boolean }>(lock);
  if (!rows[0]?.mine) throw new Conflict("A request with this Idempotency-Key is still running");
  const stored = await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.route, idempotencyKeys.key],
      set: { bodyHash: row.bodyHash, answer: row.answer, createdAt: sql`now()` },
      setWhere: sql`${idempotencyKeys.createdAt} <= now() - ${LIFE}`,
    })
    .returning({ key: idempotencyKeys.key });
  if (stored.length === 0) throw new Conflict("A request with this Idempotency-Key was just answered; send it again");
}
