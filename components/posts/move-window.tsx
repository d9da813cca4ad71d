"use client";
import { Dialog } from "radix-ui";
import { type FormEvent, useId, useState } from "react";
import type { Schedule } from "../api/types";
import { dateAndTime, fromLocalField, toLocalField, zoneAt } from "../time/format";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import type { MoveTo } from "./use-moves";

type Props = {
  schedule: Schedule;
  text: string;
  move: MoveTo;
  close: () => void;
  /** To where the keyboard was before. */
  goBack: () => void;
};

/** Asks for another time, over the page. */
export function MoveWindow({ schedule, text, move, close, goBack }: Props) {
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault(); // it would look for a trigger of its own
            goBack();
          }}
          className="fixed top-1/2 left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line bg-surface p-6 shadow-xl"
        >
          <Dialog.Title className="font-semibold text-lg">Move to another time</Dialog.Title>
          <p className="mt-1 line-clamp-2 text-muted">{text}</p>
          <MoveForm schedule={schedule} move={move} close={close} />
          <p className="mt-4 flex flex-wrap gap-x-5 border-line border-t pt-3 text-accent text-sm">
            <Link href={`/compose?edit=${schedule.id}`} className="inline-flex min-h-8 items-center underline">
              Edit it
            </Link>
            <Link href={`/compose?copy=${schedule.id}`} className="inline-flex min-h-8 items-center underline">
              Duplicate it
            </Link>
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function MoveForm({ schedule, move, close }: Pick<Props, "schedule" | "move" | "close">) {
  const id = useId();
  const now = schedule.scheduledTime ? new Date(schedule.scheduledTime) : new Date();
  const [field, setField] = useState(toLocalField(now));
  const to = fromLocalField(field);
  function submit(event: FormEvent) {
    event.preventDefault();
    // A portal's events bubble through React's tree, and a form around the calendar must not hear this one.
    event.stopPropagation();
    if (!to) return;
    move(schedule, to);
    close();
  }
  return (
    <form onSubmit={submit} className="mt-4 grid gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        Date and time
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
        {to ? `${dateAndTime(to)}, read in your zone, ${zoneAt(to)}.` : "Not a date yet."}
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-3">
        <Dialog.Close asChild>
          <Button look="quiet">Leave it</Button>
        </Dialog.Close>
        <Button type="submit" aria-disabled={!to}>
          Move
        </Button>
      </div>
    </form>
  );
}
