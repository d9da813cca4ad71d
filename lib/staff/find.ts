import { eq, type SQL, sql } from "drizzle-orm";
import { accounts, db, posts, publications, schedules, users } from "../db";
import { parseUrl } from "../env/parse-url";
import { auditView, type Staff } from "./views";

/** Search results; `matchedBy` says which of its names matched. */
export type FoundUser = { id: string; name: string; email?: string; matchedBy: string };
export type FoundSchedule = { id: number; ownerId: string; status: string; matchedBy: string };
export type StaffSearchResult = { users: FoundUser[]; schedules: FoundSchedule[] };

const MOST = 20;
const MOST_CHARACTERS = 2_048;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^\d{1,15}$/;

/**
 * Finds users and schedules by what a person asking for help can name: an email address, a user's ID, the ID of a
 * schedule, publication, post or account, or a post's address on its network. Only exact matches count, so that a search
 * cannot list everyone. Every result is recorded in the audit log.
 */
export async function searchAsStaff(staff: Staff, asked: string): Promise<StaffSearchResult> {
  const query = asked.trim();
  const isText = query.length > 0 && query.length <= MOST_CHARACTERS && !query.includes("\0") && query.isWellFormed();
  const found = isText ? await find(query) : { users: [], schedules: [] };
  for (const { id, partnerId } of found.users) {
    await auditView(staff, { subject: id, partnerId: partnerId ?? undefined, details: { page: "search" } });
  }
  for (const { id, ownerId } of found.schedules) {
    await auditView(staff, { subject: id, details: { page: "search", ownerId } });
  }
  return { ...found, users: found.users.map(({ partnerId: _, ...user }) => user) };
}

async function find(query: string): Promise<{ users: UserRow[]; schedules: FoundSchedule[] }> {
  if (UUID.test(query)) return { users: await usersWhere(eq(users.id, query), "its id"), schedules: [] };
  if (NUMBER.test(query)) return byNumber(Number(query));
  if (parseUrl(query)) return { users: [], schedules: await byPermalink(query) };
  const hasAddress = eq(sql`lower(${users.email})`, query.toLowerCase());
  const found = await usersWhere(
    hasAddress,
    sql<string>`case when ${users.partnerId} is null and ${users.emailConfirmedAt} is null
    then 'its email, not confirmed' else 'its email' end`,
  );
  return { users: found, schedules: [] };
}

async function byNumber(id: number) {
  const [own, byPublication, byPost, byAccount] = await Promise.all([
    schedulesWhere(eq(schedules.id, id), "its number"),
    schedulesWhere(eq(publications.id, id), `its publication ${id}`),
    schedulesWhere(eq(posts.id, id), `its post ${id}`),
    usersWhere(
      sql`${users.id} = (select ${accounts.ownerId} from ${accounts} where ${accounts.id} = ${id})`,
      `account ${id}`,
    ),
  ]);
  return { users: byAccount, schedules: [...own, ...byPublication, ...byPost] };
}

/** Also matches without a trailing slash, or without the query that sharing adds. */
async function byPermalink(address: string): Promise<FoundSchedule[]> {
  const plain = address.replace(/[?#].*$/, "");
  const forms = [...new Set([address, plain, plain.replace(/\/$/, ""), `${plain.replace(/\/$/, "")}/`])];
  return schedulesWhere(sql`${posts.permalink} = any(${sql.param(forms)}::text[])`, "its address on the network");
}

type UserRow = FoundUser & { partnerId: string | null };

/**
 * @param matchedBy a text, or an SQL expression on the row. Several people may have signed up with an address; the one to
 * whom it belongs comes first.
 */
async function usersWhere(where: SQL | undefined, matchedBy: string | SQL<string>): Promise<UserRow[]> {
  const { id, name, email, partnerId } = users;
  const why = typeof matchedBy === "string" ? sql<string>`${matchedBy}::text` : matchedBy;
  const rows = await db
    .select({ id, name, email, partnerId, matchedBy: why })
    .from(users)
    .where(where)
    .orderBy(sql`${users.emailConfirmedAt} is null`, users.createdAt)
    .limit(MOST);
  return rows.map(({ email: address, ...row }) => ({
    ...row,
    ...(address === null ? {} : { email: address }),
  }));
}

async function schedulesWhere(where: SQL, matchedBy: string): Promise<FoundSchedule[]> {
  const { id, ownerId, status } = schedules;
  const rows = await db
    .selectDistinct({ id, ownerId, status })
    .from(schedules)
    .leftJoin(publications, eq(publications.scheduleId, schedules.id))
    .leftJoin(posts, eq(posts.publicationId, publications.id))
    .where(where)
    .limit(MOST);
  return rows.map((row) => ({ ...row, matchedBy }));
}
