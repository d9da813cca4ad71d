import { and, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import { applications, db, grants, requestLog } from "../db";

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

export type RequestsWish = { limit: number; before?: number; requestId?: string; failedOnly?: boolean };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What was asked for a user lately, or by a partner, newest first; `next` is the id to go on before. */
export async function listRequests(
  whose: { ownerId: string } | { partnerId: string },
  { limit, before, requestId, failedOnly }: RequestsWish,
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
