import { and, asc, eq, ne, sql } from "drizzle-orm";
import { db, partnerMembers, partners, type Tx, users } from "../db";
import { type Actor, audit } from "../db/audit";
import { Conflict, NotFound } from "../errors";
import { getAddressOwner } from "../users";
import { getPartner } from "./partners";
import type { MemberRole } from "./roles";

export type Member = { userId: string; name: string; email: string; role: MemberRole; createdAt: string };

/** Returns the members of a partner's console, in the order in which they were added. */
export async function listMembers(partnerId: string): Promise<Member[]> {
  const { role, createdAt } = partnerMembers;
  const rows = await db
    .select({ userId: users.id, name: users.name, email: users.email, role, createdAt })
    .from(partnerMembers)
    .innerJoin(users, eq(users.id, partnerMembers.userId))
    .where(eq(partnerMembers.partnerId, partnerId))
    .orderBy(asc(createdAt), asc(users.id));
  return rows.map((row) => ({ ...row, email: row.email ?? "" }));
}

/**
 * Gives a user access to a partner's console. A user who has access already keeps their role, unless another one is given.
 * @throws NotFound if the partner or the user does not exist; Conflict if nobody has confirmed the address, or if the last owner
 * would lose this role
 */
export async function addPartnerMember(
  clientId: string,
  email: string,
  role?: MemberRole,
): Promise<{ partner: string; user: string; role: MemberRole }> {
  const partner = await getPartner(clientId);
  const user = await getAddressOwner(email);
  const given = await db.transaction(async (tx) => {
    await lockMembers(tx, partner.id);
    const [added] = await tx
      .insert(partnerMembers)
      .values({ partnerId: partner.id, userId: user.id, role: role ?? "owner" })
      .onConflictDoNothing()
      .returning();
    if (!added) return role ? changeRole(tx, partner.id, user.id, role, "operator") : findRole(tx, partner.id, user.id);
    const details = { role: added.role };
    await audit(tx, { action: "member.added", actor: "operator", subject: user.id, partnerId: partner.id, details });
    return added.role;
  });
  return { partner: clientId, user: user.email, role: given };
}

/**
 * Changes the role of a member.
 * @throws NotFound if the user is not a member; Conflict if the last owner would lose this role
 */
export async function setMemberRole(partnerId: string, userId: string, role: MemberRole, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    await lockMembers(tx, partnerId);
    await changeRole(tx, partnerId, userId, role, actor);
  });
}

async function changeRole(
  tx: Tx,
  partnerId: string,
  userId: string,
  role: MemberRole,
  actor: Actor,
): Promise<MemberRole> {
  const before = await findRole(tx, partnerId, userId);
  if (before === role) return role;
  if (before === "owner") await assertOtherOwner(tx, partnerId, userId);
  await tx.update(partnerMembers).set({ role }).where(isMember(partnerId, userId));
  const details = { from: before, to: role };
  await audit(tx, { action: "member.role-changed", actor, subject: userId, partnerId, details });
  return role;
}

/**
 * Ends a member's access to a partner's console.
 * @throws NotFound if the user is not a member; Conflict for the last owner
 */
export async function removeMember(partnerId: string, userId: string, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    await lockMembers(tx, partnerId);
    const role = await findRole(tx, partnerId, userId);
    if (role === "owner") await assertOtherOwner(tx, partnerId, userId);
    await tx.delete(partnerMembers).where(isMember(partnerId, userId));
    await audit(tx, { action: "member.removed", actor, subject: userId, partnerId, details: { role } });
  });
}

/** Two changes at once follow each other, so that two owners cannot remove each other. */
async function lockMembers(tx: Tx, partnerId: string): Promise<void> {
  await tx.select({ id: partners.id }).from(partners).where(eq(partners.id, partnerId)).for("update");
}

async function findRole(tx: Tx, partnerId: string, userId: string): Promise<MemberRole> {
  const [row] = await tx.select().from(partnerMembers).where(isMember(partnerId, userId));
  if (!row) throw new NotFound("Member", userId);
  return row.role;
}

async function assertOtherOwner(tx: Tx, partnerId: string, userId: string): Promise<void> {
  const owners = and(eq(partnerMembers.partnerId, partnerId), eq(partnerMembers.role, "owner"));
  const others = await tx
    .select()
    .from(partnerMembers)
    .where(and(owners, ne(partnerMembers.userId, userId)))
    .limit(1);
  if (others.length === 0) {
    throw new Conflict("This is the last owner. Make another member an owner first");
  }
}

function isMember(partnerId: string, userId: string) {
  return and(eq(partnerMembers.partnerId, partnerId), sql`${partnerMembers.userId}::text = ${userId}`);
}
