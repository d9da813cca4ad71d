import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { applications, db, grants, partners, requestLog, users } from "../db";
import { perProcess } from "../db/per-process";
import { writeLater } from "../db/write-later";

/** A logged request. `client` is the name of the token or application, if it still exists. */
export type LoggedRequest = {
  id: number;
  at: string;
  requestId: string;
  ownerId?: string;
  partnerId?: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  client?: string;
};

type RequestFilter = { limit: number; before?: number; requestId?: string; failedOnly?: boolean };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Lists recent requests for a user, or by a partner, newest first. `next` is the ID to continue before. */
export async function listRequests(
  whose: { ownerId: string } | { partnerId: string },
  { limit, before, requestId, failedOnly }: RequestFilter,
): Promise<{ items: LoggedRequest[]; next?: number }> {
  if (requestId !== undefined && !UUID.test(requestId)) return { items: [] };
  const own = "ownerId" in whose ? eq(requestLog.ownerId, whose.ownerId) : eq(requestLog.partnerId, whose.partnerId);
  const items = await read(
    and(
      own,
      before === undefined ? undefined : lt(requestLog.id, before),
      requestId === undefined ? undefined : eq(requestLog.requestId, requestId),
      failedOnly ? gte(requestLog.status, 400) : undefined,
    ),
    limit + 1,
  );
  const shown = items.slice(0, limit);
  return { items: shown, next: items.length > limit ? shown.at(-1)?.id : undefined };
}

/** Returns the request with this ID, of any owner. */
export async function findRequest(requestId: string): Promise<LoggedRequest | undefined> {
  if (!UUID.test(requestId)) return undefined;
  const [found] = await read(eq(requestLog.requestId, requestId), 1);
  return found;
}

async function read(where: SQL | undefined, limit: number): Promise<LoggedRequest[]> {
  const rows = await db
    .select({ line: requestLog, token: grants.name, kind: grants.kind, application: applications.name })
    .from(requestLog)
    .leftJoin(grants, eq(grants.id, requestLog.grantId))
    .leftJoin(applications, eq(applications.clientId, grants.clientId))
    .where(where)
    .orderBy(desc(requestLog.id))
    .limit(limit);
  return rows.map(({ line: { id, at, requestId, ownerId, partnerId, method, path, status, ms }, ...names }) => ({
    ...{ id, at, requestId, method, path, status, ms, client: clientOf(names) },
    ...(ownerId === null ? {} : { ownerId }),
    ...(partnerId === null ? {} : { partnerId }),
  }));
}

type Names = { token: string | null; kind: string | null; application: string | null };

function clientOf({ token, kind, application }: Names): string | undefined {
  if (kind === "personal") return token ?? "A token from the command line";
  return application ?? undefined;
}

const WRITE_EVERY_MS = 2_000;
/** How many requests of one caller are kept between two writes: this many successful and this many failed ones. */
const MOST = 50;
const LONGEST = 300;

/** The token of a request, and the user it was for. */
type RequestCaller = { grantId: string; ownerId?: string; partnerId?: string };
type Line = { requestId: string; method: string; url: string; status: number; ms: number };
type Row = { [column: string]: string | number | null };
type Waiting = { rows: Row[]; counts: Map<string, number> };

const callers = new WeakMap<Headers, RequestCaller>();
const buffer = perProcess<Waiting>("api.request-log", () => ({ rows: [], counts: new Map() }));
const writer = writeLater("the request log", WRITE_EVERY_MS, writeRows);

/** Records who sent the request with these headers, as soon as it is known. Later calls add to it. */
export function setRequestCaller(
  headers: Headers,
  caller: Partial<RequestCaller> & Pick<RequestCaller, "grantId">,
): void {
  callers.set(headers, { ...callers.get(headers), ...caller });
}

/**
 * Logs a request for its owner. The response does not wait for it: rows are written in batches a little later, and bursts are
 * sampled. Requests without a token are the dashboard's own and are not
 * logged.
 */
export function logApiRequest(headers: Headers, { requestId, method, url, status, ms }: Line): void {
  const caller = callers.get(headers);
  if (!caller || !isWithinSample(caller, status)) return;
  buffer.rows.push({
    at: new Date().toISOString(),
    request_id: requestId,
    owner_id: caller.ownerId ?? null,
    partner_id: caller.partnerId ?? null,
    grant_id: caller.grantId,
    method,
    path: loggedPath(url),
    status,
    ms,
  });
  writer.request();
}

function isWithinSample({ partnerId, ownerId }: RequestCaller, status: number): boolean {
  const key = `${partnerId ?? ownerId} ${status < 400}`;
  const count = (buffer.counts.get(key) ?? 0) + 1;
  buffer.counts.set(key, count);
  return count <= MOST;
}

/** Returns the path with the names of the query parameters. Their values could be secrets. */
function loggedPath(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].filter((name) => /^\w{1,40}$/.test(name));
  return `${pathname}${names.length > 0 ? `?${names.join("&")}` : ""}`.slice(0, LONGEST);
}

/** Writes the waiting rows. */
export const flushRequestLog = writer.flush;

/** Rows of owners that no longer exist are skipped. */
async function writeRows(): Promise<void> {
  const { rows } = buffer;
  buffer.rows = [];
  buffer.counts.clear();
  if (rows.length === 0) return;
  await db.execute(sql`
    insert into ${requestLog} (at, request_id, owner_id, partner_id, grant_id, method, path, status, ms)
    select r.at, r.request_id, r.owner_id, r.partner_id, r.grant_id, r.method, r.path, r.status, r.ms
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (at timestamptz, request_id uuid, owner_id uuid,
      partner_id uuid, grant_id uuid, method text, path text, status int, ms int)
    where (r.owner_id is null or exists (select 1 from ${users} u where u.id = r.owner_id))
      and (r.partner_id is null or exists (select 1 from ${partners} p where p.id = r.partner_id))`);
}
