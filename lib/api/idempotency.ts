import { createHash } from "node:crypto";
import { db, shareTransaction } from "../db";
import {
  assertFirstRequest,
  claimTurn,
  type StoredAnswer,
  sealAnswer,
  storeAnswer,
  type Ticket,
  unsealAnswer,
} from "../db/idempotency";
import { BadRequest } from "../errors";
import { json } from "../http/json";

/**
 * The ticket of a request with an `Idempotency-Key`, which is processed once per owner and route.
 * @param ownerId the user, or the partner if it calls in its own name
 * @param fingerprint what makes two requests the same
 * @throws BadRequest for a key that is empty or longer than 255 characters
 */
export type TicketFor = (fingerprint: unknown) => Ticket | undefined;

export function ticketsFor(request: Request, ownerId: string, route: string): TicketFor {
  const key = request.headers.get("idempotency-key");
  if (key === null) return () => undefined;
  if (key.length < 1 || key.length > 255) throw new BadRequest("Idempotency-Key must have 1 to 255 characters");
  return (fingerprint) => {
    const bodyHash = createHash("sha256").update(JSON.stringify(fingerprint, sortFields)).digest();
    return { ownerId, route, key, bodyHash };
  };
}

/** A replacer of `JSON.stringify`: two objects that differ only in the order of their fields give the same text. */
function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Runs the work of a request once. Without a ticket it always runs. The answer is stored in the transaction of the work, so
 * that neither exists without the other. A failed request stores nothing.
 * @param isSecret the answer contains a secret and is stored sealed
 * @throws AnsweredBefore; Conflict if the key was used with another body, or the first request is still running
 */
export async function idempotently(
  ticket: Ticket | undefined,
  work: () => Promise<Response>,
  isSecret = false,
): Promise<Response> {
  if (!ticket) return work();
  await assertFirstRequest(db, ticket);
  return shareTransaction(async (tx) => {
    await claimTurn(tx, ticket);
    await assertFirstRequest(tx, ticket);
    const answer = await work();
    const body: unknown = await answer.clone().json();
    await storeAnswer(tx, ticket, { status: answer.status, body: isSecret ? sealAnswer(ticket, body) : body });
    return answer;
  });
}

/** Returns the stored first answer. @param sealedBy the ticket with which it was sealed */
export function replayAnswer({ status, body: kept }: StoredAnswer, sealedBy?: Ticket): Response {
  const body = sealedBy ? unsealAnswer(sealedBy, kept) : kept;
  return json(body, { status, headers: { "idempotency-replayed": "true" } });
}
