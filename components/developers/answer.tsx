import { Notice } from "../ui/notice";
import type { Answered } from "./send";

/** An answer: how it ended, how long it took, its id and its body. */
export function Answer({ answered: { status, ms, requestId, body } }: { answered: Answered }) {
  if (status === 0) return <Notice tone="wrong">Carillon did not answer. Check your connection.</Notice>;
  const look = status < 400 ? "text-accent" : "text-wrong";
  return (
    <section aria-label="Answer" className="grid gap-3 rounded-2xl border border-line bg-surface p-5">
      <h2 className="font-semibold text-lg">
        <span className={look}>Status {status}</span> <span className="text-muted text-sm">in {ms} ms</span>
      </h2>
      {requestId && (
        <p className="text-muted text-sm">
          Request id <code className="select-all break-all text-ink">{requestId}</code>
        </p>
      )}
      {body === "" ? (
        <p className="text-muted">No body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard (WCAG 2.1.1)
        <pre tabIndex={0} className="max-h-[32rem] overflow-auto rounded-lg bg-sunk p-4 text-sm">
          {body}
        </pre>
      )}
    </section>
  );
}
