import { sql } from "drizzle-orm";
import { dbOrTransaction } from "../db";
import { DELIVERY_PICK_LOCK } from "../db/locks";
import { statement, value } from "../db/statement";
import type { Worker } from "../jobs";
import { isOwnerActive } from "../users";
import { deliveryContent } from "./deliveries";
import type { EarlierSecret } from "./secret";

/** Longer than an attempt can take, including name resolution. */
const LEASE_SECONDS = 45;
/** The number of deliveries that one process sends at a time, to healthy and to failing endpoints. */
export const CONCURRENCY = { well: 160, failing: 48 };
/** The share of these that one owner may use. */
const PER_OWNER = { well: 24, failing: 8 };

const lease = sql.raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);

/** A delivery claimed by this worker. The fence distinguishes this claim from a later one. */
export type ClaimedDelivery = {
  id: string;
  fence: number;
  endpointId: number;
  /** True if the endpoint has been failing. */
  isFailing: boolean;
  isTest: boolean;
  /** Failed attempts before this one. */
  failures: number;
  url: string;
  secretSealed: Buffer;
  /** The earlier secrets that still sign, newest first. */
  earlierSecrets: EarlierSecret[];
  /** When it was claimed, by the database's clock. */
  at: string;
  seconds: number;
  /** The place in a trace of the request that stored the schedule, for events of schedules and publications. */
  traceparent: string | null;
  body: string;
};

type Row = Omit<ClaimedDelivery, "body" | "isTest"> & {
  type: string | null;
  data: unknown;
  createdAt: string;
  eventTime: string | null;
  externalUserId: string | null;
};

/**
 * Claims the next due deliveries, fairly across owners: every owner's first delivery comes before anyone's second, and
 * within an owner every endpoint's. A failing endpoint gets one delivery at a time; a healthy one gets twice as many after
 * each success. Failing endpoints have separate places, so that waiting for them does not delay the others.
 */
const claimDue = statement<{ worker: string; well: number; failing: number }, Row>(
  "webhooks.take",
  sql`
  with turn as materialized (
    select pg_try_advisory_xact_lock(${sql.raw(String(DELIVERY_PICK_LOCK))}) as is_mine
  ), waiting as materialized (
    select distinct endpoint_id from webhook_deliveries where due_at <= now() and (select is_mine from turn)
  ), leased as materialized (
    select endpoint_id, count(*) as n from webhook_deliveries
    where claim_worker is not null and claim_until > now() group by endpoint_id
  ), open as materialized (
    select w.*, coalesce(w.owner_id, w.partner_id) as whose, w.failing_since is not null as is_failing,
      w.allowance - coalesce(leased.n, 0) as free
    from waiting join webhook_endpoints w on w.id = waiting.endpoint_id
      left join leased on leased.endpoint_id = w.id
    where w.disabled_at is null
      and (w.owner_id is null or exists (select from users u where u.id = w.owner_id and ${isOwnerActive}))
      and not exists (
        select from partners p join applications a using (client_id)
        where p.id = w.partner_id and a.suspended_at is not null)
      and not exists (select from applications a where a.client_id = w.client_id and a.suspended_at is not null)
  ), turns as (
    select d.id, d.due_at, open.whose, open.is_failing, row_number() over (partition by open.id order by d.due_at, d.id) as turn
    from open cross join lateral (
      select p.id, p.due_at from webhook_deliveries p
      where p.endpoint_id = open.id and p.due_at <= now() and coalesce(p.claim_until < now(), true)
      order by p.due_at, p.id limit greatest(open.free, 0)) d
  ), busy as (
    select coalesce(w.owner_id, w.partner_id) as whose, w.failing_since is not null as is_failing, sum(leased.n) as n
    from leased join webhook_endpoints w on w.id = leased.endpoint_id group by 1, 2
  ), owned as (
    select turns.*, coalesce(busy.n, 0) + row_number() over (
      partition by turns.whose, turns.is_failing order by turn, due_at, id) as place_of_owner
    from turns left join busy on busy.whose = turns.whose and busy.is_failing = turns.is_failing
  ), places as (
    select *, row_number() over (partition by is_failing order by place_of_owner, due_at, id) as place from owned
    where place_of_owner <= case when is_failing then ${sql.raw(String(PER_OWNER.failing))} else ${sql.raw(String(PER_OWNER.well))} end
  ), locked as (
    select d.id from places join webhook_deliveries d on d.id = places.id
    where places.place <= case when places.is_failing then ${value("failing", "int")} else ${value("well", "int")} end
      and d.due_at <= clock_timestamp() and coalesce(d.claim_until < clock_timestamp(), true)
    for update of d skip locked
  ), taken as (
    update webhook_deliveries d set claim_worker = ${value("worker", "uuid")}, claim_until = ${lease}, due_at = ${lease},
      claim_fence = d.claim_fence + 1
    from locked where d.id = locked.id returning d.*
  )
  select t.id, t.claim_fence as fence, t.endpoint_id::float8 as "endpointId", w.failing_since is not null as "isFailing", t.failures, w.url,
    w.secret_sealed as "secretSealed",
    (select coalesce(json_agg(json_build_object('id', s.id, 'sealed', encode(s.secret_sealed, 'base64')) order by s.id desc), '[]')
      from webhook_earlier_secrets s where s.endpoint_id = w.id and s.expires_at > now()) as "earlierSecrets",
    clock_timestamp()::text as at, extract(epoch from clock_timestamp())::float8 as seconds, t.created_at::text as "createdAt",
    (select s.traceparent from schedules s
      where s.id = coalesce(e.data ->> 'scheduleId', case when starts_with(e.type, 'post.') then e.data ->> 'id' end)::bigint) as traceparent,
    e.type, e.data, e.created_at::text as "eventTime", u.external_user_id as "externalUserId"
  from taken t join webhook_endpoints w on w.id = t.endpoint_id
    left join events e on e.xid = t.event_xid and e.id = t.event_id
    left join users u on u.id = e.owner_id`,
);

/** @param free how many more deliveries this process can send now */
export async function claimDeliveries(
  worker: Worker,
  free: { well: number; failing: number },
): Promise<ClaimedDelivery[]> {
  worker.assertAlive();
  const rows = await claimDue(dbOrTransaction, { ...free, worker: worker.id });
  return rows.map(({ type, data, eventTime, externalUserId, createdAt, ...row }) => {
    const event = type === null ? undefined : { type, data, createdAt: eventTime ?? createdAt, externalUserId };
    const { body } = deliveryContent({ endpointId: row.endpointId, createdAt }, event);
    return { ...row, seconds: Math.floor(row.seconds), isTest: event === undefined, body };
  });
}

const readNextDue = statement<{ free?: never }, { nextMs: number | null }>(
  "webhooks.next",
  sql`
  select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as "nextMs" from webhook_deliveries where due_at is not null`,
);

/**
 * Returns the milliseconds until the next delivery is due or the next claim expires: zero or less if deliveries are due, and null
 * if there are none.
 */
export async function untilNextDelivery(): Promise<number | null> {
  const [row] = await readNextDue(dbOrTransaction, {});
  return row?.nextMs ?? null;
}
