"use client";
import { useId, useState } from "react";
import { useBodyForm } from "../api/use-body-form";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { FieldError } from "../ui/input-field";
import { type ApiFeedback, useReact } from "./queries";
import { reviewWords } from "./words";

type Props = { scheduleId: number; item: ApiFeedback };

/** A reviewer's feedback with the answer and actions. */
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
            {reviewWords.verdict(reviewWords.verdicts[verdict])}
          </span>
        )}{" "}
        <time dateTime={createdTime} className="text-muted">
          {dateAndTime(new Date(createdTime))}
        </time>
        {closedTime && <span className="text-muted">{reviewWords.closed}</span>}
      </p>
      {text && <p className="whitespace-pre-line">{text}</p>}
      {!isCurrent && (
        <p className="text-muted text-sm">
          {verdict === "APPROVED" ? reviewWords.approvalOfEarlier : reviewWords.saidOfEarlier}
        </p>
      )}
      {answer && !isAnswering && (
        <div className="rounded-lg bg-sunk p-3">
          <p className="font-medium text-sm">{reviewWords.youAnswered}</p>
          <p className="whitespace-pre-line">{answer}</p>
        </div>
      )}
      {isAnswering ? (
        <AnswerForm scheduleId={scheduleId} item={item} done={() => setAnswering(false)} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button look="quiet" onClick={() => setAnswering(true)}>
            {answer ? reviewWords.changeAnswer : reviewWords.answer}
            <span className="sr-only">{reviewWords.answerTo(name)}</span>
          </Button>
          <Button look="quiet" aria-disabled={react.isPending} onClick={close}>
            {closedTime ? reviewWords.open : reviewWords.close}
            <span className="sr-only">{reviewWords.whatWasSaid(name)}</span>
          </Button>
        </div>
      )}
      {react.error && (
        <p role="alert" className="text-wrong text-sm">
          {reviewWords.notKept(react.error.message)}
        </p>
      )}
    </li>
  );
}

const MOST = 2_000;

function AnswerForm({ scheduleId, item, done }: Props & { done: () => void }) {
  const id = useId();
  const react = useReact(scheduleId, item.id);
  const { form, at, submit, isBusy, refusal } = useBodyForm({
    defaultValues: { answer: item.answer ?? "" },
    fields: ["answer"],
    schema: async () => (await import("@/lib/api/bodies/reviews")).FeedbackChange,
    bodyOf: reactionOf,
    lacksOf: ({ answer }) => (answer.trim() === "" ? { answer: reviewWords.writeAnswer } : {}),
    send: async (values) => {
      await react.mutateAsync(reactionOf(values));
      done();
    },
  });
  const isBlank = form.watch("answer").trim() === "";
  const field = at("answer", {}, `${id}-hint`);
  return (
    <form onSubmit={submit} noValidate className="grid gap-2">
      <label htmlFor={id} className="font-medium text-sm">
        {reviewWords.yourAnswer}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: this field replaces the button that was pressed
        autoFocus
        rows={3}
        maxLength={MOST}
        className="w-full rounded-lg border border-edge bg-surface px-3 py-2"
        {...field.props}
      />
      <FieldError {...field.error} />
      <p id={`${id}-hint`} className="text-muted text-sm">
        {reviewWords.whoReads}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-disabled={isBlank || isBusy}>
          {isBusy ? reviewWords.sending : reviewWords.send}
        </Button>
        <Button look="quiet" onClick={done}>
          {reviewWords.leave}
        </Button>
      </div>
      {refusal && (
        <p role="alert" className="text-sm text-wrong">
          {reviewWords.notKept(refusal)}
        </p>
      )}
    </form>
  );
}

const reactionOf = ({ answer }: { answer: string }) => ({ answer: answer.trim() });
