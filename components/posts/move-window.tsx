"use client";
import { type FormEvent, useId, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { dateAndTime, fromLocalField, toLocalField } from "../time/format";
import { zoneAt } from "../time/zone";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Modal } from "../ui/modal";
import type { MoveTo } from "./use-moves";
import { postWords } from "./words";

type Props = {
  schedule: ApiSchedule;
  text: string;
  move: MoveTo;
  close: () => void;
  /** Restores the focus. */
  goBack: () => void;
};

/** Asks for another time. */
export function MoveWindow({ schedule, text, move, close, goBack }: Props) {
  const titleId = useId();
  return (
    <Modal titleId={titleId} close={close} onClosed={goBack} className="m-auto w-[min(26rem,calc(100vw-2rem))]">
      <div className="p-6">
        <h2 id={titleId} className="font-semibold text-lg">
          {postWords.move.title}
        </h2>
        <p className="mt-1 line-clamp-2 text-muted">{text}</p>
        <MoveForm schedule={schedule} move={move} close={close} />
        <p className="mt-4 flex flex-wrap gap-x-5 border-line border-t pt-3 text-accent text-sm">
          <Link href={`/compose?edit=${schedule.id}`} className="inline-flex min-h-8 items-center underline">
            {postWords.move.edit}
          </Link>
          <Link href={`/compose?copy=${schedule.id}`} className="inline-flex min-h-8 items-center underline">
            {postWords.move.duplicate}
          </Link>
        </p>
      </div>
    </Modal>
  );
}

function MoveForm({ schedule, move, close }: Pick<Props, "schedule" | "move" | "close">) {
  const id = useId();
  const now = schedule.scheduledTime ? new Date(schedule.scheduledTime) : new Date();
  const [field, setField] = useState(toLocalField(now));
  const to = fromLocalField(field);
  function submit(event: FormEvent) {
    event.preventDefault();
    // Events of a portal bubble through React's tree and must not reach an outer form.
    event.stopPropagation();
    if (!to) return;
    move(schedule, to);
    close();
  }
  return (
    <form onSubmit={submit} className="mt-4 grid gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        {postWords.move.dateAndTime}
      </label>
      <input
        id={id}
        type="datetime-local"
        required
        value={field}
        onChange={(event) => setField(event.target.value)}
        aria-describedby={`${id}-zone`}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2"
      />
      <p id={`${id}-zone`} className="text-muted text-sm">
        {to ? postWords.move.readAs(dateAndTime(to), zoneAt(to)) : postWords.move.noDate}
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={close}>
          {postWords.move.leave}
        </Button>
        <Button type="submit" aria-disabled={!to}>
          {postWords.move.move}
        </Button>
      </div>
    </form>
  );
}
