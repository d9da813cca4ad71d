import type { PartnerAuditEntry } from "@/lib/connect";
import { staffWords } from "../staff/words";
import { Table } from "./table";
import { utc } from "./when";
import { consoleWords } from "./words";

/** The newest lines of the audit log. */
export function AuditLines({ lines }: { lines: PartnerAuditEntry[] }) {
  const rows = lines.map(({ id, at, action, actor, isOperator, subject }) => ({
    key: String(id),
    cells: [
      utc(at),
      staffWords.auditLog.actions[action],
      isOperator ? staffWords.auditLog.operator : actor || consoleWords.endUser,
      <code key="of">{subject}</code>,
    ],
  }));
  return (
    <Table caption={consoleWords.done} head={consoleWords.doneHead} rows={rows} empty={consoleWords.nothingDone} />
  );
}
