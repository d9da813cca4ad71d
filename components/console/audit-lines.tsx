import type { AuditLine } from "@/lib/connect";
import { actionWords } from "../staff/words";
import { Table } from "./table";
import { utc } from "./when";

/** The newest lines of the audit log. */
export function AuditLines({ lines }: { lines: AuditLine[] }) {
  const rows = lines.map(({ id, at, action, actor, isOperator, subject }) => ({
    key: String(id),
    cells: [
      utc(at),
      actionWords[action],
      isOperator ? "the operator" : actor || "the end-user",
      <code key="of">{subject}</code>,
    ],
  }));
  return <Table caption="What was done" head={["When", "What", "By", "To"]} rows={rows} empty="Nothing yet." />;
}
