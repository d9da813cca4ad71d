"use client";
import { type FormEvent, useId, useState } from "react";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { type Feedback, useReact } from "./queries";
import { verdictWords } from "./verdict-words";

type Props = { scheduleId: number; item: Feedback };

/** What somebody said, what was answered, and what can be done with it. */
export function FeedbackItem({ scheduleId, item }: Props) {
  const { name, verdict, text, createdTime, isCurrent, answer, closedTime } = item;
  const [isAnswering, setAnswering] = useState(false);
  const react = useReact(scheduleId, item.id);
  const close = () => react.isPending || react.mutate({ isClosed: !closedTime });
  return (
    <li className="wrap-anywhere grid gap-2 border-line border-l-2 pl-3">
      <p className="text-sm">
        <span className="font-medium">{name}</span>
        {verdict && (
          <span className={verdict === "APPROVED" ? "text-accent" : closedTime ? "text-muted" : "text-warn"}>
            {" "}
            · {verdictWords[verdict]}
          </span>
        )}{" "}
        <time dateTime={createdTime} className="text-muted">
          {dateAndTime(new Date(createdTime))}
        </time>
        {closedTime && <span className="text-muted"> · closed</span>}
      </p>
      {text && <p className="whitespace-pre-line">{text}</p>}
      {!isCurrent && (
        <p className="text-muted text-sm">
          {verdict === "APPROVED" ? "This approval was given for an earlier version." : "Said of an earlier version."}
        </p>
      )}
      {answer && !isAnswering && (
        <div className="rounded-lg bg-sunk p-3">
          <p className="font-medium text-sm">You answered</p>
          <p className="whitespace-pre-line">{answer}</p>
        </div>
      )}
      {isAnswering ? (
        <AnswerForm scheduleId={scheduleId} item={item} done={() => setAnswering(false)} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button look="quiet" onClick={() => setAnswering(true)}>
            {answer ? "Change your answer" : "Answer"}
            <span className="sr-only"> to {name}</span>
          </Button>
          <Button look="quiet" aria-disabled={react.isPending} onClick={close}>
            {closedTime ? "Open it again" : "Close it"}
            <span className="sr-only">: what {name} said</span>
          </Button>
        </div>
      )}
      {react.error && (
        <p role="alert" className="text-wrong text-sm">
          Not kept: {react.error.message}
        </p>
      )}
    </li>
  );
}

const MOST = 2_000;

function AnswerForm({ scheduleId, item, done }: Props & { done: () => void }) {
  const id = useId();
  const [answer, setAnswer] = useState(item.answer ?? "");
  const react = useReact(scheduleId, item.id);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (answer.trim() === "" || react.isPending) return;
    react.mutate({ answer: answer.trim() }, { onSuccess: done });
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <label htmlFor={id} className="font-medium text-sm">
        Your answer
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed has become this field
        autoFocus
        rows={3}
        maxLength={MOST}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
        aria-describedby={`${id}-hint`}
        className="w-full rounded-lg border border-edge bg-surface px-3 py-2"
      />
      <p id={`${id}-hint`} className="text-muted text-sm">
        Whoever has the link that it was said by can read it.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-disabled={answer.trim() === "" || react.isPending}>
          {react.isPending ? "Sending…" : "Send"}
        </Button>
        <Button look="quiet" onClick={done}>
          Leave it
        </Button>
      </div>
      {react.error && (
        <p role="alert" className="text-wrong text-sm">
          Not kept: {react.error.message}
        </p>
      )}
    </form>
  );
}
