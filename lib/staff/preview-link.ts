import { db } from "../db";
import { audit } from "../db/audit";
import { env } from "../env";
import { NotFound } from "../errors";
import { type ShownSchedule, showSchedule } from "../reviews";
import { isMacOf, macOf } from "../secrets";
import type { Staff } from "./views";
import { ownerOf } from "./views";

/** How long a link can work; there is no way to end one earlier but to delete the schedule. */
export const linkDays = [1, 7, 30] as const;

const DAY_MS = 86_400_000;
const LINK = /^(\d{1,15})\.(\d{1,12})\.([0-9a-f]{8})\.([\w-]{43})$/;

/**
 * An address that shows a schedule's preview to whoever has it, without an account, until it ends. It is signed and kept
 * nowhere, and what it carries stands in its query, which no log holds. That it was made is in the audit log.
 * @throws NotFound
 */
export async function createPreviewLink(
  staff: Staff,
  scheduleId: number,
  days: (typeof linkDays)[number],
): Promise<{ url: string; endsAt: Date }> {
  const owner = await ownerOf(scheduleId);
  const endsAt = new Date(Math.floor((Date.now() + days * DAY_MS) / 1000) * 1000);
  await audit(db, {
    action: "staff.shared",
    actor: { id: staff.id },
    subject: scheduleId,
    partnerId: owner.partnerId ?? undefined,
    details: { days, ownerId: owner.id },
  });
  return { url: `${env.appUrl}/previews?link=${linkTo(scheduleId, endsAt)}`, endsAt };
}

/** What a link carries. */
export function linkTo(scheduleId: number, endsAt: Date): string {
  const about = `${scheduleId}.${Math.floor(endsAt.getTime() / 1000)}`;
  const { keyId, mac } = macOf("preview link", about);
  return `${about}.${keyId}.${mac}`;
}

/**
 * What a link shows, and until when; of its owner nothing but the names of the accounts. Nothing where it has ended.
 * @throws NotFound for a link that is not ours, and for a schedule that is gone
 */
export async function openPreviewLink(
  link: string,
  now = new Date(),
): Promise<{ shown?: ShownSchedule; endsAt: Date }> {
  const { id, endsAt } = readLink(link);
  if (endsAt <= now) return { endsAt };
  const owner = await ownerOf(id);
  return { shown: await showSchedule(owner.id, id, endsAt), endsAt };
}

/**
 * Whether a link shows something, or has ended.
 * @throws NotFound as opening it does
 */
export async function isPreviewLinkOpen(link: string, now = new Date()): Promise<boolean> {
  const { id, endsAt } = readLink(link);
  if (endsAt <= now) return false;
  await ownerOf(id);
  return true;
}

/** @throws NotFound where it is not ours */
function readLink(link: string): { id: number; endsAt: Date } {
  const [, id = "", seconds = "", keyId = "", mac = ""] = LINK.exec(link) ?? [];
  if (!isMacOf("preview link", `${id}.${seconds}`, keyId, mac)) throw new NotFound("Preview", "this link");
  return { id: Number(id), endsAt: new Date(Number(seconds) * 1000) };
}
