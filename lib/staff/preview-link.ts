import { databaseNow, db } from "../db";
import { audit } from "../db/audit";
import { env } from "../env";
import { NotFound } from "../errors";
import { getReviewedSchedule, type ReviewedSchedule } from "../reviews";
import { isMacOf, macOf } from "../secrets";
import type { Staff } from "./views";
import { ownerOf } from "./views";

/** How long a link can work, in days. It can only be ended earlier by deleting the schedule. */
export const linkDays = [1, 7, 30] as const;

const DAY_MS = 86_400_000;
const LINK = /^(\d{1,15})\.(\d{1,12})\.([0-9a-f]{8})\.([\w-]{43})$/;

/**
 * Creates a link that shows a schedule's preview to anyone who has it, without an account, until it expires. It is signed
 * and not stored. Its data is in the query, which is never logged. The audit log records that it was created.
 * @throws NotFound
 */
export async function createPreviewLink(
  staff: Staff,
  scheduleId: number,
  days: (typeof linkDays)[number],
): Promise<{ url: string; endsAt: Date }> {
  const owner = await ownerOf(scheduleId);
  const now = await databaseNow();
  const endsAt = new Date(Math.floor((now.getTime() + days * DAY_MS) / 1000) * 1000);
  await audit(db, {
    action: "staff.shared",
    actor: { id: staff.id },
    subject: scheduleId,
    partnerId: owner.partnerId ?? undefined,
    details: { days, ownerId: owner.id },
  });
  return { url: `${env.appUrl}/previews?link=${linkTo(scheduleId, endsAt)}`, endsAt };
}

/** Returns the signed value of a link. */
export function linkTo(scheduleId: number, endsAt: Date): string {
  const about = `${scheduleId}.${Math.floor(endsAt.getTime() / 1000)}`;
  const { keyId, mac } = macOf("preview link", about);
  return `${about}.${keyId}.${mac}`;
}

/**
 * Returns the preview of a link and when it expires. Of the owner it shows only the account names. There is no preview if
 * the link has expired.
 * @param now the database's time if absent
 * @throws NotFound if we did not sign the link, the schedule is gone, or its owner is not active
 */
export async function openPreviewLink(link: string, now?: Date): Promise<{ shown?: ReviewedSchedule; endsAt: Date }> {
  const { id, endsAt } = readLink(link);
  if (endsAt <= (now ?? (await databaseNow()))) return { endsAt };
  const ownerId = await activeOwnerOf(id);
  return { shown: await getReviewedSchedule(ownerId, id, endsAt), endsAt };
}

/**
 * Returns whether a link still works.
 * @throws NotFound as `openPreviewLink` does
 */
export async function isPreviewLinkOpen(link: string, now?: Date): Promise<boolean> {
  const { id, endsAt } = readLink(link);
  if (endsAt <= (now ?? (await databaseNow()))) return false;
  await activeOwnerOf(id);
  return true;
}

/** @throws NotFound also while the owner or their partner is suspended: staff can still look, but a link is open to anyone */
async function activeOwnerOf(scheduleId: number): Promise<string> {
  const { id, isActive } = await ownerOf(scheduleId);
  if (!isActive) throw new NotFound("Preview", "this link");
  return id;
}

/** @throws NotFound if we did not sign it */
function readLink(link: string): { id: number; endsAt: Date } {
  const [, id = "", seconds = "", keyId = "", mac = ""] = LINK.exec(link) ?? [];
  if (!isMacOf("preview link", `${id}.${seconds}`, keyId, mac)) throw new NotFound("Preview", "this link");
  return { id: Number(id), endsAt: new Date(Number(seconds) * 1000) };
}
