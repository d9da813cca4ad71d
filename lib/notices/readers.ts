import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { accounts, db, mails, partnerMembers, partners, type Tx, users } from "../db";
import { notify } from "../db/listen";
import { canReceive, type NewMail, queueMail, queueMails } from "../mail";
import { networkOf } from "../networks";
import { instantInWords } from "../time/instant";
import { defineReader, type Endpoint, type WrittenEvent } from "../webhooks";
import { accountIn, accountNameOf, type NamedAccount, namedAccounts, parsePostEvent, postFacts } from "./facts";

/**
 * Notifies the web processes that have open dashboards about owners with new events. It runs apart from the requests that
 * cause events, and after the events are visible in the log, so that the processes can read them. The owners of a batch fit
 * into one notification (8,000 bytes).
 */
export const liveReader = defineReader({
  name: "live",
  async handle(tx, events) {
    const owners = [...new Set(events.filter(({ partnerId }) => partnerId === null).map(({ ownerId }) => ownerId))];
    if (owners.length > 0) await notify(tx, "live", owners.join(","));
  },
});

/**
 * Queues the mails for events, in the transaction that advances the reader, so that each event leads to exactly one mail.
 * Partners write to their users themselves.
 */
export const mailReader = defineReader({
  name: "mail",
  async handle(tx, events) {
    const ours = events.filter(({ partnerId, type }) => partnerId === null && Object.hasOwn(mailWriters, type));
    const accounts = await namedAccounts(tx, ours);
    await queueMails(
      tx,
      ours.flatMap((event) => mailWriters[event.type]?.(event, accounts) ?? []),
    );
  },
});

type Writer = (event: WrittenEvent, accounts: ReadonlyMap<number, NamedAccount>) => NewMail | undefined;

/** The events with a mail. All others are only for programs. */
const mailWriters: { [type: string]: Writer | undefined } = {
  "post.completed": (event, accounts) => {
    const { published: shares, scheduleId, text } = postFacts(parsePostEvent(event.data), accounts);
    return { kind: "postPublished", ...addressed(event), facts: { scheduleId, text, shares } };
  },
  "post.partially_completed": failed,
  "post.failed": failed,
  "post.media_import_failed": failed,
  "account.reconnect_required": (event, accounts) => {
    const account = accounts.get(accountIn(event.data));
    if (!account) return undefined;
    const { id: accountId, name, reason } = account;
    return { kind: "accountReconnect", ...addressed(event), facts: { accountId, name, reason } };
  },
};

function failed(event: WrittenEvent, accounts: ReadonlyMap<number, NamedAccount>): NewMail {
  const { published, missing: shares, scheduleId, text, isUnknown } = postFacts(parsePostEvent(event.data), accounts);
  const facts = { scheduleId, text, shares, published: published.length, ...(isUnknown && { isUnknown }) };
  return { kind: "postFailed", ...addressed(event), facts };
}

/** Identifies the mail by the event's position in the log, so that each event is mailed once. */
const addressed = ({ ownerId, xid, id }: WrittenEvent) => ({ ownerId, about: `event ${xid}.${id}` });

type Disabled = Pick<Endpoint, "id" | "url" | "ownerId" | "partnerId" | "disabledAt" | "disabledReason">;

/**
 * Notifies about an endpoint that was just disabled, in the same transaction: its owner, or the console members of a
 * partner's own endpoint. Each of them gets the mail only if they want it. No one is notified about an endpoint that a
 * partner registered for one of its users: the partner writes to that user, and thousands of them may share one server.
 */
export async function queueDisabledEndpointMail(tx: Tx, endpoint: Disabled): Promise<void> {
  const { id, url, ownerId, partnerId, disabledAt, disabledReason } = endpoint;
  const facts = { url, reason: disabledReason ?? "It failed for too long" };
  const about = `endpoint ${id} ${disabledAt}`;
  if (ownerId !== null) await queueMail(tx, { kind: "webhookDisabled", ownerId, about, facts });
  if (partnerId === null) return;
  const members = await membersOf(tx, partnerId);
  const theirs = members.map(({ userId, ...partner }): NewMail => {
    const named = { ...facts, partner: { ...partner, webhookId: id } };
    return { kind: "webhookDisabled", ownerId: userId, about: `${about} for ${userId}`, facts: named };
  });
  await queueMails(tx, theirs);
}

function membersOf(tx: Tx, partnerId: string) {
  return tx
    .select({ userId: partnerMembers.userId, name: partners.name, clientId: partners.clientId })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerMembers.partnerId))
    .where(eq(partners.id, partnerId));
}

/** How many of these mails one transaction queues. */
const BATCH = 100;

/**
 * Mails the owners of accounts whose permission ends within this number of days and that only they can renew, as on LinkedIn, or
 * on Facebook after an exchange that extended nothing. Each end of a permission is mailed once.
 */
export async function queueEndingPermissionMails(days: number): Promise<void> {
  let mailed: number;
  do mailed = await db.transaction((tx) => queueSomeReminders(tx, days));
  while (mailed === BATCH);
}

async function queueSomeReminders(tx: Tx, days: number): Promise<number> {
  const kind = "accountReconnect";
  const { id, ownerId, platform, username, displayName, permissionEndsAt } = accounts;
  const about = sql<string>`'permission of ' || ${id} || ' until ' || extract(epoch from ${permissionEndsAt})::bigint`;
  const endsTime = sql<string>`to_char(${permissionEndsAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  const ending = await tx
    .select({ id, ownerId, platform, username, displayName, about, endsTime })
    .from(accounts)
    .innerJoin(users, eq(users.id, ownerId))
    .where(
      and(
        sql`${permissionEndsAt} between now() and now() + make_interval(days => ${days})`,
        ...[isNotNull(permissionEndsAt), isNull(accounts.disconnectedAt), eq(accounts.state, "ACTIVE")],
        canReceive(sql`${kind}::text`),
        sql`not exists (select from ${mails} where ${mails.key} = ${`${kind}:`} || ${about})`,
      ),
    )
    .limit(BATCH);
  const reminders = ending.map(({ about, endsTime, ...account }): NewMail => {
    const reason = `${networkOf(account.platform).name} ends the permission on ${instantInWords(new Date(endsTime))}, and only you can renew it`;
    const facts = { accountId: account.id, name: accountNameOf(account), reason, endsTime };
    return { kind, ownerId: account.ownerId, about, facts };
  });
  await queueMails(tx, reminders);
  return ending.length;
}
