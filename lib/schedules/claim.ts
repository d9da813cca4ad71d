import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Account } from "../accounts";
import { accounts, db, type PublicationStatus, publications, publishSteps, schedules, type Tx } from "../db";
import type { Worker } from "../jobs";
import { type Post, postsOf } from "./read";

export const LEASE_SECONDS = 30;

export type Step = typeof publishSteps.$inferSelect & {
  /** Since it was last begun; of an intent, since its newest call was announced. */
  seconds: number;
};

/** A publication that this worker, and no other, works on. The fence tells a later claim from this one. */
export type Claim = {
  publicationId: number;
  scheduleId: number;
  ownerId: string;
  fence: number;
  attempts: number;
  /** Claims without progress, this one included. */
  claims: number;
  /** It was told before that nobody knows what became of it: it is looked up, and nothing is sent. */
  isToldUnknown: boolean;
  settings: { type: string };
  account: Account;
  posts: Post[];
  steps: Step[];
  worker: Worker;
  /** When it was claimed, by the database's clock. */
  claimedAt: string;
  /** Seconds since the scheduled time, or since its person asked for another try, by the database's clock. */
  lateSeconds: number;
};

/** The claim is over: it ran out, or somebody else has it. Whatever was under way must not go on. */
export class ClaimLost extends Error {
  constructor() {
    super("this publication is no longer this worker's");
    this.name = "ClaimLost";
  }
}

type Row = {
  id: number;
  scheduleId: number;
  accountId: number;
  ownerId: string;
  fence: number;
  attempts: number;
  claims: number;
  status: PublicationStatus;
  settings: { type: string };
  claimedAt: string;
  lateSeconds: number;
};

export const inSeconds = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * Takes those of the picked publications that may be worked on, in one statement: due, claimed by nobody, their owner
 * neither suspended nor being deleted, publishing not paused. The schedule is locked before its publication, as everybody
 * locks them; what somebody is just changing is passed over. A publication is due again when its claim runs out.
 * @param picked a query for ids
 */
export async function take(picked: SQL, worker: Worker): Promise<Claim[]> {
  worker.assertAlive();
  const { rows } = await db.execute<Row>(sql`
    with picked as materialized (${picked}), locked as (
      select p.id, s.owner_id, p.status,
        extract(epoch from clock_timestamp() - greatest(s.scheduled_time, p.retried_at))::float8 as late
      from picked join publications p on p.id = picked.id
        join schedules s on s.id = p.schedule_id join users u on u.id = s.owner_id
      where s.scheduled_time <= clock_timestamp() and coalesce(p.lease_until < clock_timestamp(), true)
        and (p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
          or p.status = 'UNKNOWN' and p.due_at is not null)
        and ${isServed} and not exists (select from publishing_pause)
      for update of s, p skip locked
    ), claimed as (
      update publications p set lease_worker = ${worker.id}, fence = p.fence + 1, claims = p.claims + 1,
        lease_until = ${inSeconds(LEASE_SECONDS)}, due_at = ${inSeconds(LEASE_SECONDS)},
        status = case when p.status = 'UNKNOWN' then p.status else 'IN_PROGRESS' end
      from locked where p.id = locked.id
      returning p.*, locked.owner_id, locked.late
    ), begun as (
      update schedules set status = 'IN_PROGRESS', updated_at = now()
      where status = 'SCHEDULED' and id in (select schedule_id from claimed where status <> 'UNKNOWN')
    )
    select id::int, schedule_id::int as "scheduleId", account_id::int as "accountId", owner_id as "ownerId", fence, attempts,
      claims, status, settings, clock_timestamp()::text as "claimedAt", late as "lateSeconds"
    from claimed order by id`);
  return withParts(rows, worker);
}

/** SQL about a row `u` of users: neither suspended, nor being deleted, nor of a partner that is suspended. */
export const isServed = sql`(u.deleting_at is null and u.suspended_at is null and not exists (
  select from partners join applications using (client_id)
  where partners.id = u.partner_id and applications.suspended_at is not null))`;

async function withParts(rows: Row[], worker: Worker): Promise<Claim[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const accountIds = [...new Set(rows.map(({ accountId }) => accountId))];
  const [posts, owned, steps] = await Promise.all([
    postsOf(ids),
    db.select().from(accounts).where(inArray(accounts.id, accountIds)),
    stepsOf(ids),
  ]);
  return rows.flatMap((row) => {
    const account = owned.find(({ id }) => id === row.accountId);
    if (!account) return []; // removed this very moment, and its publications with it
    const mine = posts.filter(({ publicationId }) => publicationId === row.id);
    const { id: publicationId, status, ...rest } = row;
    return [
      {
        ...rest,
        publicationId,
        isToldUnknown: status === "UNKNOWN",
        account,
        posts: mine,
        steps: steps.filter(({ postId }) => mine.some(({ id }) => id === postId)),
        worker,
      },
    ];
  });
}

async function stepsOf(publicationIds: number[]): Promise<Step[]> {
  const seconds = sql<number>`extract(epoch from clock_timestamp() - coalesce(${publishSteps.sentAt}, ${publishSteps.startedAt}))::float8`;
  const ofThem = sql`${publishSteps.postId} in (select id from posts where publication_id in ${publicationIds})`;
  const rows = await db.select({ step: publishSteps, seconds }).from(publishSteps).where(ofThem);
  return rows.map((row) => ({ ...row.step, seconds: row.seconds }));
}

/** Takes one publication whose time has come, whether or not somebody should look at it already. */
export async function claimPublication(publicationId: number, worker: Worker): Promise<Claim | undefined> {
  return (await take(sql`select ${publicationId}::bigint as id`, worker))[0];
}

/** SQL: whether this claim still holds, by its fence, its worker and its time. */
export const isHeld = (claim: Claim) =>
  and(
    eq(publications.id, claim.publicationId),
    eq(publications.fence, claim.fence),
    eq(publications.leaseWorker, claim.worker.id),
    sql`${publications.leaseUntil} > clock_timestamp()`,
  );

/**
 * Makes claims last longer, all in one statement. One that does not hold any more is passed over: whoever works on it finds
 * that out at its next step.
 */
export async function keepClaims(claims: Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const fences = JSON.stringify(
    claims.map(({ publicationId, fence, worker }) => ({ publicationId, fence, by: worker.id })),
  );
  await db.execute(sql`
    update publications p set lease_until = greatest(lease_until, ${inSeconds(LEASE_SECONDS)}),
      due_at = greatest(lease_until, ${inSeconds(LEASE_SECONDS)})
    from jsonb_to_recordset(${fences}::jsonb) as held("publicationId" bigint, fence int, by uuid)
    where p.id = held."publicationId" and p.fence = held.fence and p.lease_worker = held.by
      and p.lease_until > clock_timestamp()`);
}

/** What a worker had claimed is free again, and due. */
export async function releaseClaims(tx: Tx, workerId: string): Promise<void> {
  await tx
    .update(publications)
    .set({ leaseWorker: null, leaseUntil: null, dueAt: sql`clock_timestamp()` })
    .where(eq(publications.leaseWorker, workerId));
  await announceDue(tx);
}

/** Tells every worker, when the transaction is committed, that something is due now. */
export async function announceDue(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify('publications_due', '')`);
}

/** The schedule of these publications, locked; then the posts of all its publications, as they are. */
export async function lockedParts(tx: Tx, scheduleId: number) {
  await tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.id, scheduleId)).for("update");
  const { rows } = await tx.execute<{
    publicationId: number;
    postId: number;
    status: PublicationStatus;
    whole: PublicationStatus;
  }>(sql`
    select p.id::int as "publicationId", q.id::int as "postId", q.status, p.status as whole
    from publications p join posts q on q.publication_id = p.id where p.schedule_id = ${scheduleId}
    order by p.position, q.position`);
  return rows;
}
