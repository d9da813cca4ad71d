"use client";
import { useId, useState } from "react";
import { useWatch } from "react-hook-form";
import { useBodyForm } from "../api/use-body-form";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { FieldError } from "../ui/field-error";
import * as words from "../words/reviews";
import { type Feedback, useReact } from "./queries";

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
            {words.verdict(words.verdicts[verdict])}
          </span>
        )}{" "}
        <time dateTime={createdTime} className="text-muted">
          {dateAndTime(new Date(createdTime))}
        </time>
        {closedTime && <span className="text-muted">{words.closed}</span>}
      </p>
      {text && <p className="whitespace-pre-line">{text}</p>}
      {!isCurrent && (
        <p className="text-muted text-sm">{verdict === "APPROVED" ? words.approvalOfEarlier : words.saidOfEarlier}</p>
      )}
      {answer && !isAnswering && (
        <div className="rounded-lg bg-sunk p-3">
          <p className="font-medium text-sm">{words.youAnswered}</p>
          <p className="whitespace-pre-line">{answer}</p>
        </div>
      )}
      {isAnswering ? (
        <AnswerForm scheduleId={scheduleId} item={item} done={() => setAnswering(false)} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button look="quiet" onClick={() => setAnswering(true)}>
            {answer ? words.changeAnswer : words.answer}
            <span className="sr-only">{words.answerTo(name)}</span>
          </Button>
          <Button look="quiet" aria-disabled={react.isPending} onClick={close}>
            {closedTime ? words.open : words.close}
            <span className="sr-only">{words.whatWasSaid(name)}</span>
          </Button>
        </div>
      )}
      {react.error && (
        <p role="alert" className="text-wrong text-sm">
          {words.notKept(react.error.message)}
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
    schema: async () => (await import("@/lib/api/bodies/reviews")).WantedReaction,
    bodyOf: reactionOf,
    lacksOf: ({ answer }) => (answer.trim() === "" ? { answer: words.writeAnswer } : {}),
    send: async (values) => {
      await react.mutateAsync(reactionOf(values));
      done();
    },
  });
  const isBlank = useWatch({ control: form.control, name: "answer" }).trim() === "";
  const field = at("answer", {}, `${id}-hint`);
  return (
    <form onSubmit={submit} noValidate className="grid gap-2">
      <label htmlFor={id} className="font-medium text-sm">
        {words.yourAnswer}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed has become this field
        autoFocus
        rows={3}
        maxLength={MOST}
        className="w-full rounded-lg border border-edge bg-surface px-3 py-2"
        {...field.props}
      />
      <FieldError {...field.error} />
      <p id={`${id}-hint`} className="text-muted text-sm">
        {words.whoReads}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-disabled={isBlank || isBusy}>
          {isBusy ? words.sending : words.send}
        </Button>
        <Button look="quiet" onClick={done}>
          {words.leave}
        </Button>
      </div>
      {refusal && (
        <p role="alert" className="text-sm text-wrong">
          {words.notKept(refusal)}
        </p>
      )}
    </form>
  );
}

const reactionOf = ({ answer }: { answer: string }) => ({ answer: answer.trim() });
