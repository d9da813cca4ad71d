import { type SQL, sql } from "drizzle-orm";
import { db, installation, type Tx } from "../db";
import { perProcess } from "../db/per-process";
import { statement } from "../db/statement";
import { COUNTS_KEPT_DAYS, LISTED_DAYS, type Mark } from "./mark";

/** What the database knows about itself, and the server that it runs on now. */
export type State = {
  /** The counts of all workers, for comparisons. */
  mark: Mark;
  /** The same with the counts that copies list. */
  copy: Mark;
  /** Null: never checked. */
  storedCluster: { systemIdentifier: string | null; timeline: number | null };
  cluster: ServerIdentity;
  /** Null: publishing is not held. */
  heldAt: string | null;
  /** When a process last reported that it uses this database. After a restore: about when the backup was taken. */
  heartbeatAt: string | null;
};

export type ServerIdentity = { systemIdentifier: string; timeline: number };

const listedFor = sql.raw(`interval '${LISTED_DAYS} days'`);
const keptFor = sql.raw(`interval '${COUNTS_KEPT_DAYS} days'`);

type ServerColumns = { serverIdentifier: string; serverTimeline: number };

/** Any role may read the timeline from the name of the current WAL file. */
const serverColumns = (identifier: SQL) => sql`${identifier} as "serverIdentifier",
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as "serverTimeline"`;

/**
 * SQL: identifies the cluster. If the role may not call pg_control_system, the OID of our table does: a dump creates the table anew,
 * and a copy of the files keeps it.
 */
const identifiers = {
  control: sql`(select system_identifier::text from pg_control_system())`,
  table: sql`'oid:' || 'installation'::regclass::oid`,
};

type Row = ServerColumns & {
  id: string;
  epoch: number;
  published: number;
  counts: { [worker: string]: number } | null;
  listed: { [worker: string]: number } | null;
  at: string;
  systemIdentifier: string | null;
  timeline: number | null;
  heldAt: string | null;
  heartbeatAt: string | null;
};

const stateWith = (by: keyof typeof identifiers) =>
  statement<Record<never, never>, Row>(
    `installation.state-by-${by}`,
    sql`
    select ${serverColumns(identifiers[by])}, i.installation_id as id, i.epoch, (i.published_count + coalesce(c.total, 0))::float8 as published, c.counts, c.listed,
      to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, i.system_identifier as "systemIdentifier", i.timeline,
      i.held_at::text as "heldAt", i.heartbeat_at::text as "heartbeatAt"
    from installation i, (select sum(published) as total,
      json_object_agg(worker_id, published) as counts,
      json_object_agg(worker_id, published) filter (where counted_at > now() - ${listedFor}) as listed from publish_counts) c`,
  );
const stateBy = { control: stateWith("control"), table: stateWith("table") };

/** Reads all of it in one statement, because each process does so every second. */
export async function readState(tx: Tx = db): Promise<State> {
  const [row] = await stateBy[await readableIdentifier()](tx, {});
  if (!row) throw new Error("the table installation has lost its row");
  const { id, epoch, published, counts, listed, at, systemIdentifier, timeline, heldAt, heartbeatAt } = row;
  const mark = { installationId: id, epoch, published, counts: counts ?? {}, at };
  return {
    mark,
    copy: { ...mark, counts: listed ?? {} },
    storedCluster: { systemIdentifier, timeline },
    cluster: clusterOf(row),
    heldAt,
    heartbeatAt,
  };
}

const readable = perProcess<{ identifier?: keyof typeof identifiers }>("installation.cluster", () => ({}));

/** Returns which cluster this is. */
export async function readCluster(): Promise<ServerIdentity> {
  const identifier = identifiers[await readableIdentifier()];
  const { rows } = await db.execute<ServerColumns>(sql`select ${serverColumns(identifier)}`);
  return clusterOf(rows[0]);
}

function clusterOf(row?: ServerColumns): ServerIdentity {
  return { systemIdentifier: row?.serverIdentifier ?? "", timeline: row?.serverTimeline ?? 0 };
}

async function readableIdentifier(): Promise<keyof typeof identifiers> {
  readable.identifier ??= (await isControlReadable()) ? "control" : "table";
  return readable.identifier;
}

async function isControlReadable(): Promise<boolean> {
  const { rows } = await db.execute<{ may: boolean }>(
    sql`select has_function_privilege('pg_control_system()', 'execute') as may`,
  );
  return rows[0]?.may ?? false;
}

/** Stores which cluster the database runs on, and that it is in use now. */
export async function storeCluster({ systemIdentifier, timeline }: ServerIdentity): Promise<void> {
  await db.update(installation).set({ systemIdentifier, timeline, heartbeatAt: sql`clock_timestamp()` });
}

/** Adds the counts of workers that no longer exist and have not published for a while to the total, and deletes them. */
export async function foldOldCounts(): Promise<void> {
  await db.execute(sql`
    with old as (
      delete from publish_counts where counted_at < now() - ${keptFor} and worker_id not in (select id from workers)
      returning published
    )
    update installation set published_count = published_count + (select sum(published) from old) where exists (select from old)`);
}
