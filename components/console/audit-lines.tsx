import type { AuditLine } from "@/lib/connect";
import * as audit from "../words/audit";
import * as words from "../words/console";
import { Table } from "./table";
import { utc } from "./when";

/** The newest lines of the audit log. */
export function AuditLines({ lines }: { lines: AuditLine[] }) {
  const rows = lines.map(({ id, at, action, actor, isOperator, subject }) => ({
    key: String(id),
    cells: [
      utc(at),
      audit.actions[action],
      isOperator ? audit.operator : actor || words.endUser,
      <code key="of">{subject}</code>,
    ],
  }));
  return <Table caption={words.done} head={words.doneHead} rows={rows} empty={words.nothingDone} />;
}
