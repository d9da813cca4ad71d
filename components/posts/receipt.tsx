"use client";
import { useId } from "react";
import { useReceipt } from "../api/queries";
import type { ApiSchedule, Attempt } from "../api/types";
import { dateAndTime, fromNow } from "../time/format";
import { postWords } from "./words";

/** `name`: the account, which distinguishes several receipts on a page. */
type Props = { schedule: ApiSchedule; publicationId: number; name: string; nowMs: number };

/** The attempts at one publication, oldest first. */
export function PublicationReceipt({ schedule, publicationId, name, nowMs }: Props) {
  const title = useId();
  const { data, error } = useReceipt(schedule);
  const publication = data?.publications.find(({ id }) => id === publicationId);
  if (error && !data) return <p className="mt-3 text-muted text-sm">{postWords.receipt.couldNotRead(error.message)}</p>;
  if (!publication || publication.story.length === 0) return null;
  const next = publication.nextAttemptTime && new Date(publication.nextAttemptTime);
  return (
    <section aria-labelledby={title} className="mt-3 border-line border-t pt-3">
      <h2 id={title} className="font-medium text-sm">
        {postWords.receipt.title}
        <span className="sr-only">, {name}</span>
      </h2>
      <ol className="mt-2 grid gap-3">
        {publication.story.map((attempt) => (
          <Chapter key={`${attempt.postId}-${attempt.startTime}-${attempt.outcome}`} attempt={attempt} />
        ))}
      </ol>
      {next && <p className="mt-3 text-sm">{postWords.receipt.nextLook(fromNow(next, nowMs))}</p>}
    </section>
  );
}

function Chapter({ attempt: { outcome, message, endTime, times, answer } }: { attempt: Attempt }) {
  return (
    <li className="border-line border-l-2 pl-3 text-sm">
      <p>
        <time dateTime={endTime} className="text-muted">
          {dateAndTime(new Date(endTime))}
        </time>{" "}
        <span className="font-medium">{postWords.receipt.outcomes[outcome]}</span>
        {times > 1 && <span className="text-muted"> · {postWords.receipt.times(times)}</span>}
      </p>
      {message !== postWords.receipt.outcomes[outcome] && <p>{message}</p>}
      {answer && <Answer answer={answer} />}
    </li>
  );
}

/** The network's own response, for looking it up there. */
function Answer({ answer: { status, code, message } }: { answer: NonNullable<Attempt["answer"]> }) {
  return (
    <details className="text-muted">
      <summary className="min-h-8 content-center">{postWords.receipt.answer}</summary>
      <p className="wrap-anywhere font-mono text-xs">
        {status === 0 ? postWords.receipt.noAnswer : postWords.receipt.status(status)}
        {code && ` · ${code}`}
        {message && ` · ${message}`}
      </p>
    </details>
  );
}
