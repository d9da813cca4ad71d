import { eq, sql } from "drizzle-orm";
import { partnerMembers, partners, type Tx } from "../db";
import { queueMail } from "../mail";
import { defineReader, type Endpoint, type WrittenEvent } from "../webhooks";
import { accountIn, type NamedAccount, namedAccounts, parsePostEvent, postFacts } from "./facts";

/**
 * Announces whose things something has happened to, for the web processes that have their dashboards open. Off the way of
 * what happens, and after its place in the log is settled: whoever is woken finds it there. A batch's owners fit into one
 * notice (8,000 bytes).
 */
export const liveReader = defineReader({
  name: "live",
  async handle(tx, events) {
    const owners = [...new Set(events.filter(({ partnerId }) => partnerId === null).map(({ ownerId }) => ownerId))];
    if (owners.length > 0) await tx.execute(sql`select pg_notify('live', ${owners.join(",")})`);
  },
});

/**
 * Writes the mails that events call for: in the transaction in which the log is read on, so that each event leads to one
 * mail and none is left out. A partner's users are the partner's to write to.
 */
export const mailReader = defineReader({
  name: "mail",
  async handle(tx, events) {
    const ours = events.filter(({ partnerId, type }) => partnerId === null && Object.hasOwn(mailWriters, type));
    const accounts = await namedAccounts(tx, ours);
    for (const event of ours) await mailWriters[event.type]?.(tx, event, accounts);
  },
});

type Writer = (tx: Tx, event: WrittenEvent, accounts: ReadonlyMap<number, NamedAccount>) => Promise<unknown>;

/** What is told by mail; the other events are for programs. */
const mailWriters: { [type: string]: Writer | undefined } = {
  "post.completed": (tx, event, accounts) => {
    const { published: shares, scheduleId, text } = postFacts(parsePostEvent(event.data), accounts);
    return queueMail(tx, { kind: "postPublished", ...addressed(event), facts: { scheduleId, text, shares } });
  },
  "post.partially_completed": failed,
  "post.failed": failed,
  "post.media_import_failed": failed,
  "account.reconnect_required": (tx, event, accounts) => {
    const account = accounts.get(accountIn(event.data));
    if (!account) return Promise.resolve();
    const { id: accountId, name, reason } = account;
    return queueMail(tx, { kind: "accountReconnect", ...addressed(event), facts: { accountId, name, reason } });
  },
};

function failed(tx: Tx, event: WrittenEvent, accounts: ReadonlyMap<number, NamedAccount>): Promise<unknown> {
  const { published, missing: shares, scheduleId, text } = postFacts(parsePostEvent(event.data), accounts);
  const facts = { scheduleId, text, shares, published: published.length };
  return queueMail(tx, { kind: "postFailed", ...addressed(event), facts });
}

/** An event is told of once: its place in the log is what the mail is about. */
const addressed = ({ ownerId, xid, id }: WrittenEvent) => ({ ownerId, about: `event ${xid}.${id}` });

type Disabled = Pick<Endpoint, "id" | "url" | "ownerId" | "partnerId" | "disabledAt" | "disabledReason">;

/**
 * Tells of an endpoint that has just been switched off, in the same transaction: the person whose it is; of a partner's own,
 * the members of its console. Each gets it only if they want such mail. What a partner registers for one of its users is told
 * to nobody: that user is the partner's to write to, and thousands of them may share one server.
 */
export async function queueDisabledEndpointMail(tx: Tx, endpoint: Disabled): Promise<void> {
  const { id, url, ownerId, partnerId, disabledAt, disabledReason } = endpoint;
  const facts = { url, reason: disabledReason ?? "It failed for too long" };
  const about = `endpoint ${id} ${disabledAt}`;
  if (ownerId !== null) await queueMail(tx, { kind: "webhookDisabled", ownerId, about, facts });
  if (partnerId === null) return;
  for (const { userId, ...partner } of await membersOf(tx, partnerId)) {
    const theirs = { ...facts, partner: { ...partner, webhookId: id } };
    await queueMail(tx, { kind: "webhookDisabled", ownerId: userId, about: `${about} for ${userId}`, facts: theirs });
  }
}

function membersOf(tx: Tx, partnerId: string) {
  return tx
    .select({ userId: partnerMembers.userId, name: partners.name, clientId: partners.clientId })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerMembers.partnerId))
    .where(eq(partners.id, partnerId));
}
