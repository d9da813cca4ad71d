import type { FoundLine } from "@/lib/staff";
import { statusWord } from "../posts/status";

/** The word for a schedule's or a publication's state. */
export function scheduleWord(status: string): string {
  return statusWord(status as Parameters<typeof statusWord>[0]); // the database holds no other
}

/** What was done, for people. */
export const actionWords: Record<FoundLine["action"], string> = {
  "credential.created": "Credential created",
  "credential.rotated": "Secret changed",
  "credential.suspended": "Credential suspended",
  "credential.resumed": "Credential let in again",
  "credential.changed": "Application changed",
  "credential.deleted": "Application deleted",
  "token.created": "Token created",
  "token.revoked": "Token revoked",
  "user.suspended": "User suspended",
  "user.resumed": "User let in again",
  "user.deleted": "User deleted",
  "staff.looked": "Staff looked",
  "staff.shared": "Staff shared a preview",
  "partner.changed": "Partner's settings changed",
  "member.added": "Console member added",
  "account.connected": "Account connected",
  "account.confirmed": "Account confirmed",
  "account.disconnected": "Account disconnected",
};

/** What a line of the audit log says besides. */
export const detailWords: { [name: string]: string } = {
  ownerId: "of the user",
  userId: "of the user",
  platform: "network",
  oldSecretEnded: "the old secret was ended",
};
