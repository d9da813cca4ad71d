import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Account } from "../../accounts";
import {
  accounts,
  db,
  type PublicationStatus,
  posts as postsTable,
  publications,
  publishSteps,
  type Tx,
} from "../../db";
import { rowAsJson, rowFromJson } from "../../db/row-json";
import { statement, value } from "../../db/statement";
import type { Worker } from "../../jobs";
import { tellBegun } from "../events";
import type { Post } from "../read";

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
  /** Seconds from the claim to the end of the account's token; null where it has none. */
  tokenSeconds: number | null;
  /** The one that was last used in the account's name. */
  accessToken?: string;
  posts: Post[];
  steps: Step[];
  worker: Worker;
  /** When it was claimed, by the database's clock, and by this process's monotonic one in milliseconds. */
  claimedAt: string;
  takenAt: number;
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

type Values = { worker: string };
type Row = Pick<Claim, "ownerId" | "fence" | "attempts" | "claims" | "settings" | "claimedAt" | "lateSeconds"> & {
  status: PublicationStatus;
  /** `rowAsJson` of the publication's account, of its posts in order, and of their steps. */
  account: { [key: string]: unknown };
  tokenSeconds: number | null;
  posts: { [key: string]: unknown }[] | null;
  steps: { step: { [key: string]: unknown }; seconds: number }[] | null;
  ids: { publicationId: number; scheduleId: number };
  /** Its schedule is begun with it. */
  begins: boolean;
};

export const inSeconds = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/** SQL about a row `u` of users: neither suspended, nor being deleted, nor of a partner that is suspended. */
export const isServed = sql`(u.deleting_at is null and u.suspended_at is null and not exists (
  select from partners join applications using (client_id)
  where partners.id = u.partner_id and applications.suspended_at is not null))`;

/** Statements are prepared once, so numbers that never change are part of their text. */
const leaseEnd = sql.raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);

/**
 * A statement that takes those of the picked publications that may be worked on, with all that publishing them needs: due,
 * claimed by nobody, their owner neither suspended nor being deleted, publishing not paused. The schedule is locked before
 * its publication, as everybody locks them; what somebody is just changing is passed over. A publication is due again when
 * its claim runs out.
 * @param picked a query for ids
 */
export function taking<V extends { [name: string]: unknown }>(name: string, picked: SQL) {
  const take = statement<V & Values, Row>(
    name,
    sql`
    with picked as materialized (${picked}), locked as (
      select p.id, s.owner_id, p.status,
        extract(epoch from clock_timestamp() - greatest(s.scheduled_time, p.retried_at))::float8 as late
      from picked join publications p on p.id = picked.id
        join schedules s on s.id = p.schedule_id join users u on u.id = s.owner_id
      where s.scheduled_time <= clock_timestamp() and coalesce(p.claim_until < clock_timestamp(), true)
        and (p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
          or p.status = 'UNKNOWN' and p.due_at is not null)
        and ${isServed} and not exists (select from publishing_pause)
      for update of s, p skip locked
    ), claimed as (
      update publications p set claim_worker = ${value("worker", "uuid")}, claim_fence = p.claim_fence + 1, claims = p.claims + 1,
        claim_until = ${leaseEnd}, due_at = ${leaseEnd},
        status = case when p.status = 'UNKNOWN' then p.status else 'IN_PROGRESS' end
      from locked where p.id = locked.id
      returning p.*, locked.owner_id, locked.late
    ), begun as (
      update schedules set status = 'IN_PROGRESS', updated_at = now()
      where status = 'SCHEDULED' and id in (select schedule_id from claimed where status <> 'UNKNOWN')
      returning id
    )
    select json_build_object('publicationId', c.id, 'scheduleId', c.schedule_id) as ids, c.owner_id as "ownerId", c.claim_fence as fence,
      c.attempts, c.claims, c.status, c.settings, clock_timestamp()::text as "claimedAt", c.late as "lateSeconds",
      c.schedule_id in (select id from begun) as begins, ${rowAsJson(accounts, "a")} as account,
      extract(epoch from a.tokens_expire_at - clock_timestamp())::float8 as "tokenSeconds",
      (select json_agg(${rowAsJson(postsTable, "q")} order by q.position) from posts q where q.publication_id = c.id) as posts,
      (select json_agg(json_build_object('step', ${rowAsJson(publishSteps, "t")},
          'seconds', extract(epoch from clock_timestamp() - coalesce(t.sent_at, t.started_at))::float8))
        from publish_steps t join posts q on q.id = t.post_id where q.publication_id = c.id) as steps
    from claimed c join accounts a on a.id = c.account_id order by c.id`,
  );
  return async (worker: Worker, values: V): Promise<Claim[]> => {
    worker.assertAlive();
    const rows = await db.transaction(async (tx) => {
      const taken = await take(tx, { ...values, worker: worker.id });
      const begun = taken.flatMap(({ begins, ids }) => (begins ? [ids.scheduleId] : []));
      await tellBegun(tx, [...new Set(begun)]);
      return taken;
    });
    return rows.map((row) => claimOf(row, worker));
  };
}

function claimOf({ ids, begins: _, status, account, tokenSeconds, posts, steps, ...row }: Row, worker: Worker): Claim {
  return {
    ...row,
    ...ids,
    isToldUnknown: status === "UNKNOWN",
    account: rowFromJson(accounts, account),
    tokenSeconds,
    posts: (posts ?? []).map((post) => rowFromJson(postsTable, post)),
    steps: (steps ?? []).map(({ step, seconds }) => ({ ...rowFromJson(publishSteps, step), seconds })),
    worker,
    takenAt: performance.now(),
  };
}

const takeOne = taking<{ id: number }>("publications.take-one", sql`select ${value("id", "bigint")} as id`);

/** Takes one publication whose time has come, whether or not somebody should look at it already. */
export async function claimPublication(id: number, worker: Worker): Promise<Claim | undefined> {
  return (await takeOne(worker, { id }))[0];
}

/** SQL: whether this claim still holds, by its fence, its worker and its time. */
export const isHeld = (claim: Claim) =>
  and(
    eq(publications.id, claim.publicationId),
    eq(publications.claimFence, claim.fence),
    eq(publications.claimWorker, claim.worker.id),
    sql`${publications.claimUntil} > clock_timestamp()`,
  );

const renew = statement<{ claims: string }, { id: string }>(
  "publications.keep",
  sql`
  with wanted as materialized (
    select * from jsonb_to_recordset(${value("claims", "jsonb")}) as w("publicationId" bigint, fence int, worker uuid)
  ), locked as materialized (
    select p.id from publications p where p.id in (select "publicationId" from wanted) order by p.id for no key update
  )
  update publications p set claim_until = greatest(claim_until, ${leaseEnd}), due_at = greatest(claim_until, ${leaseEnd})
  from wanted w, locked
  where p.id = w."publicationId" and p.id = locked.id and p.claim_fence = w.fence and p.claim_worker = w.worker
    and p.claim_until > clock_timestamp()
  returning p.id`,
);

/**
 * Makes claims last longer, all in one statement. One that does not hold any more is passed over: whoever works on it finds
 * that out at its next step.
 */
export async function keepClaims(claims: Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const held = claims.map(({ publicationId, fence, worker }) => ({ publicationId, fence, worker: worker.id }));
  await renew(db, { claims: JSON.stringify(held) });
}

/** What a worker had claimed is free again, and due. */
export async function releaseClaims(tx: Tx, workerId: string): Promise<void> {
  await tx
    .update(publications)
    .set({ claimWorker: null, claimUntil: null, dueAt: sql`clock_timestamp()` })
    .where(eq(publications.claimWorker, workerId));
  await announceDue(tx);
}

/** Tells every worker, when the transaction is committed, that something is due now. */
export async function announceDue(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify('publications_due', '')`);
}
