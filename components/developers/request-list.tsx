import type { LoggedRequest } from "@/lib/api";
import { utcToSecond } from "../time/format";
import { Sentence } from "../ui/sentence";
import { developerWords } from "./words";

/** API requests, newest first, with their result and the ID to quote. */
export function RequestList({ requests, empty }: { requests: LoggedRequest[]; empty: string }) {
  if (requests.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
      {requests.map(({ id, at, requestId, method, path, status, ms, client }) => (
        <li key={id} className="grid gap-1 px-4 py-3 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <StatusCode status={status} />
            <span className="min-w-0 break-all font-mono">
              <span className="font-semibold">{method}</span> {path}
            </span>
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted">
            <span>{utcToSecond(at)}</span>
            <span>{developerWords.took(ms)}</span>
            <span>{client ?? developerWords.goneToken}</span>
          </p>
          <p className="text-muted">
            <Sentence
              text={developerWords.requestId}
              parts={{ id: <code className="select-all break-all text-ink">{requestId}</code> }}
            />
          </p>
        </li>
      ))}
    </ul>
  );
}

function StatusCode({ status }: { status: number }) {
  const look =
    status < 400 ? "bg-accent-soft text-accent" : status < 500 ? "bg-warn-soft text-warn" : "bg-wrong-soft text-wrong";
  const text = status < 400 ? status : status < 500 ? developerWords.refused(status) : developerWords.failed(status);
  return <span className={`rounded-full px-2 font-semibold ${look}`}>{text}</span>;
}
