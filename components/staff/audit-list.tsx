import type { FoundLine } from "@/lib/staff";
import { utcToSecond } from "../developers/when";
import { actionWords, detailWords } from "./words";

/** Lines of the audit log. */
export function AuditList({ lines }: { lines: FoundLine[] }) {
  if (lines.length === 0) return <p className="text-muted">Nothing like this is in the log.</p>;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
      {lines.map(({ id, at, action, actor, subject, partner, details }) => (
        <li key={id} className="grid gap-1 px-4 py-3 text-sm">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{actionWords[action]}</span>
            <span className="text-muted">{utcToSecond(at)}</span>
          </p>
          <p>
            <span className="text-muted">By</span> {actor ?? "the operator"} <span className="text-muted">to</span>{" "}
            <code className="break-all">{subject}</code>
            {partner && <span className="text-muted"> of {partner}</span>}
          </p>
          {Object.keys(details).length > 0 && (
            <p className="text-muted">
              {Object.entries(details)
                .map(([name, value]) => `${detailWords[name] ?? name}: ${value}`)
                .join(", ")}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
