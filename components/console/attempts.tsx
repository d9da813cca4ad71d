import type { ConnectTrace } from "@/lib/connect";
import { networkOf } from "@/lib/networks";
import { Sentence } from "../ui/sentence";
import { utc } from "./table";
import { consoleWords } from "./words";

/** Connect attempts, newest first; each unfolds to show its steps. */
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
  const address = <code>{trace.returnsTo}</code>;
  return (
    <div className="grid gap-3 border-line border-t px-4 py-4 text-sm">
      <p className="text-muted">
        {trace.account ? (
          <Sentence
            text={consoleWords.wasToEndAndConnected}
            parts={{ address, account: trace.account.username, id: trace.account.id }}
          />
        ) : (
          <Sentence text={consoleWords.wasToEnd} parts={{ address }} />
        )}
      </p>
      <ol className="grid gap-2">
        {trace.steps.map(({ step, at, ms, reason: says, network }) => (
          <li key={`${step} ${at}`} className="border-line border-l-2 pl-3">
            <span className="font-medium">{step}</span>{" "}
            <span className="text-muted">
              {ms === undefined ? timeOf(at) : consoleWords.timeAndLength(timeOf(at), ms)}
            </span>
            {says && <span className="block">{says}</span>}
            {network && <span className="block text-muted">{consoleWords.networkSaid(answerOf(network))}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function timeOf(instant: string): string {
  return new Date(instant).toISOString().slice(11, 19);
}

function answerOf({ status, code, message }: NonNullable<ConnectTrace["steps"][number]["network"]>): string {
  return [status === 0 ? consoleWords.nothingSaid : status, code, message].filter(Boolean).join(" ");
}
