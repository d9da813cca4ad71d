import { eq } from "drizzle-orm";
import { type ListedAccount, listAccounts } from "../accounts";
import { db, partners, users } from "../db";
import { NotFound } from "../errors";
import { listSchedules, type Schedule } from "../schedules";
import { noteLook, type Staff } from "./looks";

/** Of a user, a person or a partner's end-user, what helps to answer a question of theirs. */
export type SeenUser = {
  id: string;
  name: string;
  email?: string;
  emailConfirmed: boolean;
  role: string;
  /** The partner whose end-user it is. */
  partner?: { clientId: string; name: string };
  externalUserId?: string;
  suspendedAt?: string;
  deletingAt?: string;
  createdAt: string;
  accounts: ListedAccount[];
  schedules: Schedule[];
  /** Where the list of schedules goes on. */
  next?: number;
};

const LIMIT = 20;

/**
 * A user with accounts and schedules, newest first; the look is in the audit log.
 * @param before the number of the schedule to go on before
 * @throws NotFound
 */
export async function lookAtUser(staff: Staff, id: string, before?: number): Promise<SeenUser> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const [found] = isId
    ? await db
        .select({ user: users, partner: { clientId: partners.clientId, name: partners.name } })
        .from(users)
        .leftJoin(partners, eq(partners.id, users.partnerId))
        .where(eq(users.id, id))
    : [];
  if (!found) throw new NotFound("User", id);
  const { user, partner } = found;
  await noteLook(staff, { subject: user.id, partnerId: user.partnerId ?? undefined, details: { page: "user" } });
  const [accounts, schedules] = await Promise.all([
    listAccounts(user.id),
    listSchedules(user.id, { limit: LIMIT, before }),
  ]);
  return {
    id: user.id,
    name: user.name,
    email: user.email ?? undefined,
    emailConfirmed: user.emailConfirmedAt !== null,
    role: user.role,
    partner: partner ?? undefined,
    externalUserId: user.externalUserId ?? undefined,
    suspendedAt: user.suspendedAt ?? undefined,
    deletingAt: user.deletingAt ?? undefined,
    createdAt: user.createdAt,
    accounts,
    schedules: schedules.items,
    next: schedules.next,
  };
}
