import type { ConnectTrace } from "@/lib/connect";
import { networkOf } from "@/lib/networks";
import { utc } from "./when";

/** Attempts to connect, newest first; each opens to its steps. */
export function Attempts({ traces, empty }: { traces: ConnectTrace[]; empty: string }) {
  if (traces.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    <ul className="grid gap-3">
      {traces.map((trace) => (
        <li key={trace.code} className="rounded-xl border border-line bg-surface">
          <details>
            <summary className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 rounded-xl px-4 py-3 hover:bg-sunk">
              <code className="font-semibold">{trace.code}</code>
              <span>{networkOf(trace.platform)?.name ?? trace.platform}</span>
              <span className={trace.outcome === "connected" ? "text-accent" : "text-warn"}>{trace.outcome}</span>
              <span className="text-muted text-sm">{trace.connectUser.name}</span>
              <span className="text-muted text-sm">{utc(trace.startedAt)}</span>
            </summary>
            <Steps trace={trace} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Steps({ trace }: { trace: ConnectTrace }) {
  return (
    <div className="grid gap-3 border-line border-t px-4 py-4 text-sm">
      <p className="text-muted">
        Was to end at <code>{trace.returnsTo}</code>
        {trace.account && `; connected ${trace.account.username} as account ${trace.account.id}`}
      </p>
      <ol className="grid gap-2">
        {trace.steps.map(({ step, at, ms, says, network }) => (
          <li key={`${step} ${at}`} className="border-line border-l-2 pl-3">
            <span className="font-medium">{step}</span>{" "}
            <span className="text-muted">
              {new Date(at).toISOString().slice(11, 19)}
              {ms !== undefined && `, ${ms} ms`}
            </span>
            {says && <span className="block">{says}</span>}
            {network && (
              <span className="block text-muted">
                The network said: {network.status === 0 ? "nothing" : network.status} {network.code} {network.message}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
