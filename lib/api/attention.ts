import { eq, sql } from "drizzle-orm";
import { listAccounts, presentAccount } from "../accounts";
import { databaseNow, dbOrTransaction, users } from "../db";
import { shortenPage } from "../http/page-size";
import { charactersOf, findSchedules, listSchedulesByTime, presentSchedule } from "../schedules";
import { withSixDigits, withZulu } from "../time/instant";
import { listEndpoints, presentEndpoint } from "../webhooks";

const DAY_MS = 86_400_000;
/** Posts whose time is longer ago than this no longer need attention. */
const DAYS = 30;
/** The most items of each kind. */
const MOST = 50;

/**
 * Returns what needs the user: posts that failed and were not left, accounts to reconnect, posts for which a reviewer asked for
 * changes, and disabled webhooks. The newest are first. An item is unread if it is newer than the user's last look.
 */
export async function presentAttention(ownerId: string) {
  const now = await databaseNow();
  const [readAt, failed, accounts, asked, { items: endpoints }] = await Promise.all([
    lastLookOf(ownerId),
    listSchedulesByTime(ownerId, {
      status: ["FAILED", "PARTIALLY_COMPLETED", "MEDIA_IMPORT_FAILED"],
      needsAttention: true,
      from: new Date(now.getTime() - DAYS * DAY_MS),
      sort: "-scheduledTime",
      limit: MOST,
    }),
    listAccounts(ownerId),
    changesAskedOf(ownerId),
    listEndpoints({ ownerId }, { limit: MOST }),
  ]);
  const ids = asked.map(({ id }) => id);
  const found = new Map((await findSchedules(ownerId, ids)).map((post) => [post.id, post]));
  const all = asked.flatMap(({ id, ...request }) => {
    const post = found.get(id);
    return post ? [{ ...request, post }] : [];
  });
  const requests = shortenPage(all, ({ post }) => charactersOf(post));
  const items = [
    ...accounts
      .filter(({ state }) => state === "RECONNECT_REQUIRED")
      .map((account) => ({
        kind: "ACCOUNT_TO_RECONNECT" as const,
        at: account.stateSince,
        account: presentAccount(account),
      })),
    ...failed.items.map((post) => ({ kind: "POST_FAILED" as const, at: post.updatedAt, post: presentSchedule(post) })),
    ...requests.map(({ at, name, post }) => ({
      ...{ kind: "CHANGES_REQUESTED" as const, at },
      ...{ reviewer: name, post: presentSchedule(post) },
    })),
    ...endpoints.flatMap((endpoint) =>
      endpoint.disabledAt && endpoint.disabledReason
        ? [{ kind: "WEBHOOK_DISABLED" as const, at: endpoint.disabledAt, webhook: presentEndpoint(endpoint) }]
        : [],
    ),
  ];
  const msOf = (at: string) => Date.parse(withZulu(at));
  const isUnread = (at: string) => readAt === null || msOf(at) > msOf(readAt);
  return {
    time: withSixDigits(now.toISOString()),
    isMore: failed.next !== undefined || requests.length < all.length,
    items: items
      .toSorted((one, other) => msOf(other.at) - msOf(one.at))
      .map(({ at, ...item }) => ({ ...item, time: withSixDigits(at), isUnread: isUnread(at) })),
  };
}

/** Marks everything up to a time as read. An earlier time than before changes nothing. */
export async function readAttention(ownerId: string, time: Date): Promise<void> {
  await dbOrTransaction
    .update(users)
    .set({ noticesReadAt: sql`greatest(${users.noticesReadAt}, ${time.toISOString()}::timestamptz)` })
    .where(eq(users.id, ownerId));
}

async function lastLookOf(ownerId: string): Promise<string | null> {
  const [row] = await dbOrTransaction.select({ at: users.noticesReadAt }).from(users).where(eq(users.id, ownerId));
  return row?.at ?? null;
}

/** The posts that have not started and for which a reviewer asked for changes, with the latest request of each. */
async function changesAskedOf(ownerId: string) {
  const { rows } = await dbOrTransaction.execute<{ id: number; at: string; name: string }>(sql`
    select s.id::float8 as id, f.created_at::text as at, f.name from schedules s
    cross join lateral (
      select created_at, name from feedback
      where schedule_id = s.id and verdict = 'CHANGES_REQUESTED' and closed_at is null order by id desc limit 1
    ) f
    where s.owner_id = ${ownerId} and s.status in ('DRAFT', 'AWAITING_MEDIA', 'SCHEDULED', 'MEDIA_IMPORT_FAILED')
      and s.changes_requested
    order by f.created_at desc limit ${MOST}`);
  return rows;
}
