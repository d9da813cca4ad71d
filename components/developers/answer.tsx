import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import type { Answered } from "./send";
import { developerWords } from "./words";

/** An answer: how it ended, how long it took, its id and its body. */
export function Answer({ answered: { status, ms, requestId, body } }: { answered: Answered }) {
  if (status === 0) return <Notice tone="wrong">{developerWords.noAnswer}</Notice>;
  const look = status < 400 ? "text-accent" : "text-wrong";
  return (
    <section aria-label={developerWords.answer} className="grid gap-3 rounded-2xl border border-line bg-surface p-5">
      <h2 className="font-semibold text-lg">
        <span className={look}>{developerWords.status(status)}</span>{" "}
        <span className="text-muted text-sm">{developerWords.after(ms)}</span>
      </h2>
      {requestId && (
        <p className="text-muted text-sm">
          <Sentence
            text={developerWords.requestId}
            parts={{ id: <code className="select-all break-all text-ink">{requestId}</code> }}
          />
        </p>
      )}
      {body === "" ? (
        <p className="text-muted">{developerWords.noBody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard (WCAG 2.1.1)
        <pre tabIndex={0} className="max-h-[32rem] overflow-auto rounded-lg bg-sunk p-4 text-sm">
          {body}
        </pre>
      )}
    </section>
  );
}
