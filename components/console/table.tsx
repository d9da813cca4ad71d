import type { ReactNode } from "react";
import type { PartnerAuditEntry } from "@/lib/partners";
import { isDatabaseInstant } from "@/lib/time/instant";
import { staffWords } from "../staff/words";
import { consoleWords } from "./words";

type Props = { caption: string; head: readonly string[]; rows: { key: string; cells: ReactNode[] }[]; empty: string };

/** A table that scrolls horizontally in a narrow window; the first cell of a row is its heading. */
export function Table({ caption, head, rows, empty }: Props) {
  if (rows.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
    <div tabIndex={0} className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table
        className={`wrap-break-word w-full text-left text-sm [&_code]:wrap-anywhere [&_td:has(code)]:min-w-60 ${
          head.length > 2 ? "min-w-xl" : ""
        }`}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-sunk">
          <tr>
            {head.map((title) => (
              <th key={title} scope="col" className="px-4 py-2 font-semibold">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row" className="px-4 py-3 font-medium">
                {first}
              </th>
              {rest.map((cell, index) => (
                <td key={head[index + 1]} className="px-4 py-3">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The latest entries of the audit log. */
export function AuditTable({ entries }: { entries: PartnerAuditEntry[] }) {
  const rows = entries.map(({ id, at, action, actor, isOperator, subject }) => ({
    key: String(id),
    cells: [
      <span key="at" className="whitespace-nowrap">
        {utc(at)}
      </span>,
      staffWords.auditLog.actions[action],
      isOperator ? staffWords.auditLog.operator : actor || consoleWords.endUser,
      <code key="of">{subject}</code>,
    ],
  }));
  return (
    <Table caption={consoleWords.done} head={consoleWords.doneHead} rows={rows} empty={consoleWords.nothingDone} />
  );
}

/** A database timestamp to the minute, in UTC: pages rendered on the server do not know the reader's time zone. */
export function utc(time: string): string {
  const instant = new Date(time.replace(" ", "T").replace(/\+00$/, "Z"));
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(instant)} UTC`;
}

/** The query parameter with which a list continues: a database timestamp and an id. */
export function toCursor([at, id]: [string, string]): string {
  return encodeURIComponent(`${at} ${id}`);
}

/** Parses that parameter; undefined if it is missing or malformed. */
export function parseCursor(text: string | string[] | undefined): [string, string] | undefined {
  const [, at, id] = /^(.{22,29}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(String(text ?? "")) ?? [];
  return at && id && isDatabaseInstant(at) ? [at, id] : undefined;
}
