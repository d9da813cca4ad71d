import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type ListedAccount, listAccounts } from "../accounts";
import { accounts, db, partners, publications, type ScheduleStatus, schedules, users } from "../db";
import { audit } from "../db/audit";
import { NotFound } from "../errors";
import { type Platform, platformValues } from "../platforms";
import { getReviewedSchedule, type ReviewedSchedule } from "../reviews";
import { getReceipt, type ListedSchedule, listSchedules, type Receipt } from "../schedules";
import { isOwnerActive } from "../users";
import { isDay } from "./audit-search";

/** The facts about a person or a partner's user that help staff to answer a question. */
export type StaffUserView = {
  id: string;
  name: string;
  email?: string;
  emailConfirmed: boolean;
  role: string;
  /** The partner of a partner's user. */
  partner?: { clientId: string; name: string };
  externalUserId?: string;
  suspendedAt?: string;
  deletingAt?: string;
  createdAt: string;
  accounts: ListedAccount[];
  schedules: ListedSchedule[];
  /** Where the list of schedules continues. */
  next?: number;
};

/** All statuses of a schedule. */
export const scheduleStatuses = [
  "DRAFT",
  "AWAITING_MEDIA",
  "SCHEDULED",
  "MEDIA_IMPORT_FAILED",
  "IN_PROGRESS",
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
] as const satisfies readonly ScheduleStatus[];

/** Conditions on the schedules of a user. All apply. An absent or empty one is ignored, and an invalid one finds nothing. */
export type StaffScheduleFilter = {
  status?: string;
  platform?: string;
  /** Words that all occur in its texts. */
  text?: string;
  /** Days of `scheduledTime` in UTC (`2026-11-22`), both included. */
  from?: string;
  to?: string;
  /** The ID of the schedule to continue before. */
  before?: number;
};

const LIMIT = 20;
const DAY_MS = 86_400_000;

/**
 * Returns a user with accounts and schedules, newest first. The audit log records the view.
 * @throws NotFound
 */
export async function viewUser(staff: Staff, id: string, filter: StaffScheduleFilter = {}): Promise<StaffUserView> {
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
  await auditView(staff, { subject: user.id, partnerId: user.partnerId ?? undefined, details: { page: "user" } });
  const [accounts, schedules] = await Promise.all([listAccounts(user.id), listFiltered(user.id, filter)]);
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

async function listFiltered(ownerId: string, filter: StaffScheduleFilter): ReturnType<typeof listSchedules> {
  const status = scheduleStatuses.find((one) => one === filter.status);
  const platform = platformValues.find((one) => one === filter.platform);
  const { text, from, to, before } = filter;
  if ((filter.status && !status) || (filter.platform && !platform) || !isDay(from) || !isDay(to)) return { items: [] };
  return listSchedules(ownerId, {
    ...{ limit: LIMIT, before, platform, text: text || undefined },
    status: status && [status],
    from: from ? new Date(from) : undefined,
    to: to ? new Date(Date.parse(to) + DAY_MS - 1) : undefined,
  });
}

export type PostToLookAt = { id: number; platform: Platform; scheduledTime?: string; isLookedUp: boolean };

/**
 * Returns the newest publications whose network did not say whether they are public, and that their owner did not leave. They
 * show nothing of a person, so the audit log has an entry only for those that are opened.
 */
export async function listPostsToLookAt(limit: number): Promise<PostToLookAt[]> {
  const rows = await db
    .select({
      id: publications.scheduleId,
      platform: accounts.platform,
      time: schedules.scheduledTime,
      dueAt: publications.dueAt,
    })
    .from(publications)
    .innerJoin(accounts, eq(accounts.id, publications.accountId))
    .innerJoin(schedules, eq(schedules.id, publications.scheduleId))
    .where(and(eq(publications.status, "UNKNOWN"), isNull(publications.leftAt)))
    .orderBy(desc(publications.id))
    .limit(limit);
  return rows.map(({ time, dueAt, ...row }) => ({
    ...row,
    scheduledTime: time ?? undefined,
    isLookedUp: dueAt !== null,
  }));
}

/** A schedule with its owner, its preview per network, and its receipt. */
export type StaffScheduleView = {
  owner: { id: string; name: string; email?: string };
  shown: ReviewedSchedule;
  receipt: Receipt;
};

/**
 * Returns any owner's schedule. The audit log records the view.
 * @throws NotFound
 */
export async function viewSchedule(staff: Staff, id: number): Promise<StaffScheduleView> {
  const owner = await ownerOf(id);
  const details = { page: "schedule", ownerId: owner.id };
  await auditView(staff, { subject: id, partnerId: owner.partnerId ?? undefined, details });
  const [shown, receipt] = [await getReviewedSchedule(owner.id, id), await getReceipt(owner.id, id)];
  return { owner: { id: owner.id, name: owner.name, email: owner.email ?? undefined }, shown, receipt };
}

/** The alias that `isOwnerActive` refers to. */
const user = alias(users, "u");

/** @throws NotFound if the schedule does not exist, or its owner is being deleted */
export async function ownerOf(id: number) {
  const { id: ownerId, name, email, partnerId, deletingAt: gone } = user;
  const [owner] = await db
    .select({ id: ownerId, name, email, partnerId, gone, isActive: sql<boolean>`${isOwnerActive}` })
    .from(schedules)
    .innerJoin(user, eq(user.id, schedules.ownerId))
    .where(eq(schedules.id, id));
  if (!owner || owner.gone !== null) throw new NotFound("Posting schedule", id);
  return owner;
}

/** A staff member, who can view other people's data but not change it. */
export type Staff = { id: string };

type ViewedThing = {
  /** The viewed thing: the ID of a user or schedule, or a client ID. */
  subject: string | number;
  /** The partner of the viewed user or credential. */
  partnerId?: string;
  details: { page: string; ownerId?: string };
};

/** Records that a staff member views other people's data. Call it before reading anything, so that every view is recorded. */
export async function auditView({ id }: Staff, look: ViewedThing): Promise<void> {
  await audit(db, { action: "staff.looked", actor: { id }, ...look });
}
