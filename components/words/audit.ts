/** The words of the audit log, wherever lines of it are shown. */
import type { FoundLine } from "@/lib/staff";

/** What was done. */
export const actions: { [action in FoundLine["action"]]: string } = {
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
/** Who did it, where it was nobody who signs in. */
export const operator = "the operator";
