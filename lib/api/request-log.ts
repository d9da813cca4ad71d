import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { applications, beforeClosing, db, grants, partners, requestLog, users } from "../db";
import { perProcess } from "../db/per-process";
import { log } from "../log";

/** One request of the log; `client` is the token's or the application's name, where they are still there. */
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

/** What was asked for a user lately, or by a partner, newest first; `next` is the id to go on before. */
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

/** The request with this id, whoever's it is. */
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
  if (kind === "personal") return token ?? "A token of the command line";
  return application ?? undefined;
}

const WRITE_EVERY_MS = 2_000;
/** Of what one caller asks between two writes: so many that went well, and as many that did not. */
const MOST = 50;
const LONGEST = 300;

/** By which token a request came, and for whom. */
type RequestCaller = { grantId: string; ownerId?: string; partnerId?: string };
type Line = { requestId: string; method: string; url: string; status: number; ms: number };
type Row = { [column: string]: string | number | null };
type Waiting = { rows: Row[]; counts: Map<string, number>; timer?: NodeJS.Timeout; isClosing: boolean };

const callers = new WeakMap<Headers, RequestCaller>();
const buffer = perProcess<Waiting>("api.request-log", () => ({ rows: [], counts: new Map(), isClosing: false }));

/** Says who sent the request with these headers, as soon as it is known; what is known later is added. */
export function setRequestCaller(
  headers: Headers,
  asker: Partial<RequestCaller> & Pick<RequestCaller, "grantId">,
): void {
  callers.set(headers, { ...callers.get(headers), ...asker });
}

/**
 * Keeps a request for its owner's log. Nobody waits for it: rows are written together a little later, those of a burst only
 * in part, and a process that is killed takes the last seconds' with it. Requests without a token, which are the
 * dashboard's own, are not kept.
 */
export function logApiRequest(headers: Headers, { requestId, method, url, status, ms }: Line): void {
  const asker = callers.get(headers);
  if (!asker || !isWithinSample(asker, status)) return;
  buffer.rows.push({
    at: new Date().toISOString(),
    request_id: requestId,
    owner_id: asker.ownerId ?? null,
    partner_id: asker.partnerId ?? null,
    grant_id: asker.grantId,
    method,
    path: loggedPath(url),
    status,
    ms,
  });
  if (!buffer.isClosing) {
    buffer.isClosing = true;
    beforeClosing(async () => {
      await flushRequestLog();
      buffer.isClosing = false;
    });
  }
  buffer.timer ??= setTimeout(() => void flushRequestLog(), WRITE_EVERY_MS).unref();
}

function isWithinSample({ partnerId, ownerId }: RequestCaller, status: number): boolean {
  const key = `${partnerId ?? ownerId} ${status < 400}`;
  const count = (buffer.counts.get(key) ?? 0) + 1;
  buffer.counts.set(key, count);
  return count <= MOST;
}

/** The path, and of the query the names: its values may be anybody's secret. */
function loggedPath(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].filter((name) => /^\w{1,40}$/.test(name));
  return `${pathname}${names.length > 0 ? `?${names.join("&")}` : ""}`.slice(0, LONGEST);
}

/** Writes down what was kept since the last time; what belongs to somebody who is gone meanwhile is left out. */
export async function flushRequestLog(): Promise<void> {
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const { rows } = buffer;
  buffer.rows = [];
  buffer.counts.clear();
  if (rows.length === 0) return;
  try {
    await db.execute(sql`
      insert into ${requestLog} (at, request_id, owner_id, partner_id, grant_id, method, path, status, ms)
      select r.at, r.request_id, r.owner_id, r.partner_id, r.grant_id, r.method, r.path, r.status, r.ms
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (at timestamptz, request_id uuid, owner_id uuid,
        partner_id uuid, grant_id uuid, method text, path text, status int, ms int)
      where (r.owner_id is null or exists (select 1 from ${users} u where u.id = r.owner_id))
        and (r.partner_id is null or exists (select 1 from ${partners} p where p.id = r.partner_id))`);
  } catch (error) {
    log.warn({ error: String(error), requests: rows.length }, "the log of requests could not be written");
  }
}
