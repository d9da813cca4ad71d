import { and, eq, type SQL, sql } from "drizzle-orm";
import { Conflict } from "../errors";
import { idempotencyKeys, type Tx } from ".";
import { statement, value } from "./statement";

/** What a request with an `Idempotency-Key` is recognised by. `ownerId` is a user's, or a partner's for its own calls. */
export type Ticket = { ownerId: string; route: string; key: string; bodyHash: Buffer };

export type StoredAnswer = { status: number; body: unknown };

/** A ticket for a verb that keeps the answer in the statement that stores what it made. */
export type AnswerToStore<T> = { ticket: Ticket; of(made: T): StoredAnswer };

/** Thrown in place of doing the work again: the same request had this answer before. */
export class AlreadyAnswered extends Error {
  constructor(readonly answer: StoredAnswer) {
    super("this request was answered before");
    this.name = "AnsweredBefore";
  }
}

/** How long a first answer is given again. */
const LIFE = sql`interval '24 hours'`;

const owner = value("keyOwner", "uuid");
const route = value("keyRoute", "text");
const key = value("key", "text");

/** The values that the parts of a statement below ask for; without a ticket they find nothing, allow all and keep nothing. */
export function ticketValues(ticket: Ticket | undefined) {
  return { keyOwner: ticket?.ownerId ?? null, keyRoute: ticket?.route ?? null, key: ticket?.key ?? null };
}

export type KnownAnswer = { bodyHash: string; status: number; body: unknown } | null;

/** The answer that is kept under a ticket, as a column. */
export const knownAnswer: SQL = sql`(
  select json_build_object('bodyHash', encode(body_hash, 'hex'), 'status', status, 'body', answer) from ${idempotencyKeys}
  where owner_id = ${owner} and route = ${route} and key = ${key} and created_at > now() - ${LIFE})`;

/** Whether no other request with this ticket is running, as a column. A turn lasts until the transaction ends. */
export const hasTurn: SQL = sql`(
  ${key} is null or pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', ${owner}, ${route}, ${key}), 0)))`;

/** Keeps an answer where `allowed` has a row. Returns one, unless there is no ticket or another answer is kept already. */
export function insertAnswer(allowed: SQL): SQL {
  return sql`
    insert into ${idempotencyKeys} as known (owner_id, route, key, body_hash, status, answer)
    select ${owner}, ${route}, ${key}, ${value("bodyHash", "bytea")}, ${value("status", "int")}, ${value("answer", "json")}
    from ${allowed} where ${key} is not null
    on conflict (owner_id, route, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = now()
      where known.created_at <= now() - ${LIFE}
    returning 1`;
}

/** The values that `keepingAnswer` asks for beside the ticket's. */
export function answerValues(ticket: Ticket | undefined, answer: StoredAnswer | undefined) {
  return {
    bodyHash: ticket?.bodyHash ?? null,
    status: answer?.status ?? null,
    answer: answer ? JSON.stringify(answer.body) : null,
  };
}

/** @throws AnsweredBefore; Conflict where the key came with another body */
export function assertNotAnswered(ticket: Ticket, known: KnownAnswer | undefined): void {
  if (!known) return;
  if (known.bodyHash !== ticket.bodyHash.toString("hex")) {
    throw new Conflict("Idempotency-Key was used before with another body");
  }
  throw new AlreadyAnswered({ status: known.status, body: known.body });
}

/** @throws Conflict where the turn is another request's */
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

/** @throws AnsweredBefore; Conflict where the key came with another body */
export async function assertFirstRequest(tx: Tx, ticket: Ticket): Promise<void> {
  const [row] = await find(tx, ticketValues(ticket));
  assertNotAnswered(ticket, row?.known);
}

/** Of several requests with one ticket, one does the work and the others are told so. */
export async function claimTurn(tx: Tx, ticket: Ticket): Promise<void> {
  const [row] = await takeTurn(tx, ticketValues(ticket));
  assertTurn(row?.mine);
}

export async function storeAnswer(tx: Tx, ticket: Ticket, answer: StoredAnswer): Promise<void> {
  await upsertAnswer(tx, { ...ticketValues(ticket), ...answerValues(ticket, answer) });
}

/** The first answers of a route that are kept under several keys, by key. */
export async function answersByKey(tx: Tx, { ownerId, route, keys }: Keys): Promise<Map<string, unknown>> {
  const rows = await tx
    .select({ key: idempotencyKeys.key, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(and(isUnder({ ownerId, route, keys }), sql`${idempotencyKeys.createdAt} > now() - ${LIFE}`));
  return new Map(rows.map(({ key, answer }) => [key, answer]));
}

/** Forgets such answers, so that the same may be done again. */
export async function deleteAnswers(tx: Tx, keys: Keys): Promise<void> {
  await tx.delete(idempotencyKeys).where(isUnder(keys));
}

type Keys = Pick<Ticket, "ownerId" | "route"> & { keys: string[] };

function isUnder({ ownerId, route, keys }: Keys): SQL | undefined {
  const { ownerId: owner, route: by, key } = idempotencyKeys;
  return and(eq(owner, ownerId), eq(by, route), sql`${key} = any(${sql.param(keys)}::text[])`);
}
