import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { Conflict } from "../errors";
import { idempotencyKeys, type Tx } from ".";
import { type SealedColumn, sealFor, unsealFrom } from "./sealed";
import { statement, value } from "./statement";

/**
 * Identifies a request with an `Idempotency-Key`. `ownerId` is a user's ID, or a partner's ID for calls in its own name. The
 * first response of a request is stored under its ticket for 24 hours and returned to repetitions.
 */
export type Ticket = {
  ownerId: string;
  route: string;
  key: string;
  bodyHash: Buffer;
};

export type StoredAnswer = { status: number; body: unknown };

/** A ticket for a verb that stores the answer in the same statement as its result. `of` builds the answer from the result. */
export type AnswerToStore<T> = { ticket: Ticket; of(result: T): StoredAnswer };

/** The same request was answered before. Thrown instead of doing the work again. */
export class AlreadyAnswered extends Error {
  constructor(readonly answer: StoredAnswer) {
    super("this request was already answered");
    this.name = "AlreadyAnswered";
  }
}

/** How long a stored answer is returned to repetitions. */
const LIFE = sql`interval '24 hours'`;

const owner = value("keyOwner", "uuid");
const route = value("keyRoute", "text");
const key = value("key", "text");

/** The ticket's values for the SQL fragments below. Without a ticket, the fragments find, block and store nothing. */
export function ticketValues(ticket: Ticket | undefined) {
  return { keyOwner: ticket?.ownerId ?? null, keyRoute: ticket?.route ?? null, key: ticket?.key ?? null };
}

export type KnownAnswer = { bodyHash: string; status: number; body: unknown } | null;

/** SQL column: the answer stored under a ticket, or null. */
export const knownAnswer: SQL = sql`(
  select json_build_object('bodyHash', encode(body_hash, 'hex'), 'status', status, 'body', answer) from ${idempotencyKeys}
  where owner_id = ${owner} and route = ${route} and key = ${key} and created_at > now() - ${LIFE})`;

/** SQL column: false if another request with this ticket is running. Takes a lock that lasts until the transaction ends. */
export const hasTurn: SQL = sql`(
  ${key} is null or pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', ${owner}, ${route}, ${key}), 0)))`;

/** SQL statement: stores an answer if `allowed` has a row. Returns a row unless there is no ticket or an answer is already stored. */
export function insertAnswer(allowed: SQL): SQL {
  return sql`
    insert into ${idempotencyKeys} as stored (owner_id, route, key, body_hash, status, answer)
    select ${owner}, ${route}, ${key}, ${value("bodyHash", "bytea")}, ${value("status", "int")}, ${value("answer", "json")}
    from ${allowed} where ${key} is not null
    on conflict (owner_id, route, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = now()
      where stored.created_at <= now() - ${LIFE}
    returning 1`;
}

/** The values for `insertAnswer` in addition to the ticket's. */
export function answerValues(ticket: Ticket | undefined, answer: StoredAnswer | undefined) {
  return {
    bodyHash: ticket?.bodyHash ?? null,
    status: answer?.status ?? null,
    answer: answer ? JSON.stringify(answer.body) : null,
  };
}

/** @throws AlreadyAnswered; Conflict if the key was used with another body */
export function assertNotAnswered(ticket: Ticket, known: KnownAnswer | undefined): void {
  if (!known) return;
  if (!ticket.bodyHash.equals(Buffer.from(known.bodyHash, "hex"))) {
    throw new Conflict("Idempotency-Key was already used with a different body");
  }
  throw new AlreadyAnswered({ status: known.status, body: known.body });
}

/** @throws Conflict if another request with this key is running */
export function assertTurn(mine: boolean | undefined): void {
  if (!mine) throw new Conflict("A request with this Idempotency-Key is still running");
}

const find = statement<ReturnType<typeof ticketValues>, { known: KnownAnswer }>(
  "idempotency.find",
  sql`select ${knownAnswer} as known`,
);

const takeTurn = statement<ReturnType<typeof ticketValues>, { mine: boolean }>(
  "idempotency.turn",
  sql`select ${hasTurn} as mine`,
);

const upsertAnswer = statement<ReturnType<typeof ticketValues> & ReturnType<typeof answerValues>, unknown>(
  "idempotency.keep",
  insertAnswer(sql`(select) always`),
);

/** @throws AlreadyAnswered; Conflict if the key was used with another body */
export async function assertFirstRequest(tx: Tx, ticket: Ticket): Promise<void> {
  const [row] = await find(tx, ticketValues(ticket));
  assertNotAnswered(ticket, row?.known);
}

/** Lets one of several concurrent requests with the same ticket do the work. @throws Conflict for the others */
export async function claimTurn(tx: Tx, ticket: Ticket): Promise<void> {
  const [row] = await takeTurn(tx, ticketValues(ticket));
  assertTurn(row?.mine);
}

export async function storeAnswer(tx: Tx, ticket: Ticket, answer: StoredAnswer): Promise<void> {
  await upsertAnswer(tx, { ...ticketValues(ticket), ...answerValues(ticket, answer) });
}

/** Returns the stored answers of a route for several keys, by key. */
export async function answersByKey(tx: Tx, { ownerId, route, keys }: Keys): Promise<Map<string, unknown>> {
  const rows = await tx
    .select({ key: idempotencyKeys.key, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(and(isUnder({ ownerId, route, keys }), sql`${idempotencyKeys.createdAt} > now() - ${LIFE}`));
  return new Map(rows.map(({ key, answer }) => [key, answer]));
}

/** Deletes stored answers, so that the same requests can be made again. */
export async function deleteAnswers(tx: Tx, keys: Keys): Promise<void> {
  await tx.delete(idempotencyKeys).where(isUnder(keys));
}

type Keys = Pick<Ticket, "ownerId" | "route"> & { keys: string[] };

function isUnder({ ownerId, route, keys }: Keys): SQL | undefined {
  const { ownerId: owner, route: by, key } = idempotencyKeys;
  return and(eq(owner, ownerId), eq(by, route), sql`${key} = any(${sql.param(keys)}::text[])`);
}

/** The answers that contain a secret. */
const answerColumn: SealedColumn = {
  ...{ table: "idempotency_keys", column: "answer", purpose: "first answer" },
  row: "owner_id || ' ' || route || ' ' || key",
  isJson: true,
};
export const sealedAnswerColumns = [answerColumn];

const rowOf = ({ ownerId, route, key }: Ticket) => `${ownerId} ${route} ${key}`;

/** Encrypts the body of an answer that contains a secret. */
export function sealAnswer(ticket: Ticket, body: unknown): { sealed: string } {
  return { sealed: sealFor(answerColumn, rowOf(ticket), JSON.stringify(body)).toString("base64") };
}

const Sealed = z.object({ sealed: z.base64() });

/** Decrypts the stored body of an answer. @throws Error if it was not sealed for this ticket */
export function unsealAnswer(ticket: Ticket, stored: unknown): unknown {
  const { sealed } = Sealed.parse(stored);
  return JSON.parse(unsealFrom(answerColumn, rowOf(ticket), Buffer.from(sealed, "base64")));
}
