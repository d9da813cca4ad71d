"use client";
import { type FormEvent, useId, useState } from "react";
import type { Slot } from "@/lib/slots";
import type { Weekday } from "../api/slots";
import { Button } from "../ui/button";
import { withTime, workdays } from "./week";
import { WeekdayBoxes } from "./weekday-boxes";

type Props = { slots: Slot[]; onAdd: (days: Weekday[], time: string) => void };

/** One time for as many days as are ticked. */
export function AddTime({ slots, onAdd }: Props) {
  const id = useId();
  const [days, setDays] = useState(workdays);
  const [time, setTime] = useState("");
  const [problem, setProblem] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemOf(slots, days, time);
    setProblem(found);
    if (found) return;
    onAdd(days, time);
    setTime("");
  }
  return (
    <form onSubmit={submit} noValidate aria-labelledby={`${id}-title`} className="grid gap-4">
      <h2 id={`${id}-title`} className="font-semibold">
        Add a time
      </h2>
      <WeekdayBoxes chosen={days} onChange={setDays} />
      <div className="flex flex-wrap items-end gap-3">
        <label className="grid gap-1 font-medium text-sm">
          Time
          <input
            type="time"
            value={time}
            onChange={({ target }) => setTime(target.value)}
            aria-describedby={problem ? `${id}-problem` : undefined}
            aria-invalid={problem !== ""}
            className="min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base"
          />
        </label>
        <Button type="submit">Add</Button>
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-wrong">
          {problem}
        </p>
      )}
    </form>
  );
}

function problemOf(slots: Slot[], days: readonly Weekday[], time: string): string {
  if (days.length === 0) return "Tick at least one day.";
  if (time === "") return "Give the time.";
  return withTime(slots, days, time).length === slots.length ? "That time is there already." : "";
}
