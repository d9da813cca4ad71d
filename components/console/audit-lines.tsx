import type { AuditLine } from "@/lib/connect";
import { Table } from "./table";
import { utc } from "./when";

const WORDS: Record<AuditLine["action"], string> = {
  "credential.created": "Credential created",
  "credential.rotated": "Secret changed",
  "credential.suspended": "Suspended",
  "credential.resumed": "Let in again",
  "credential.changed": "Application changed",
  "credential.deleted": "Application deleted",
  "token.created": "Token created",
  "token.revoked": "Token revoked",
  "user.suspended": "User suspended",
  "user.resumed": "User let in again",
  "staff.looked": "Staff looked",
  "staff.shared": "Staff shared a preview",
  "member.added": "Console member added",
  "account.connected": "Account connected",
  "account.disconnected": "Account disconnected",
  "user.deleted": "End-user deleted",
};

/** The newest lines of the audit log. */
export function AuditLines({ lines }: { lines: AuditLine[] }) {
  const rows = lines.map(({ id, at, action, actor, isOperator, subject }) => ({
    key: String(id),
    cells: [
      utc(at),
      WORDS[action],
      isOperator ? "the operator" : actor || "the end-user",
      <code key="of">{subject}</code>,
    ],
  }));
  return <Table caption="What was done" head={["When", "What", "By", "To"]} rows={rows} empty="Nothing yet." />;
}
