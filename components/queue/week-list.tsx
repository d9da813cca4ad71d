"use client";
import { useRef } from "react";
import { type Slot, weekdays } from "@/lib/time/weekly";
import type { Weekday } from "../api/slots";
import type { FieldAt } from "../api/use-body-form";
import { X } from "../ui/icons";
import { FieldError } from "../ui/input-field";
import { dayName, timeName } from "./week";
import { queueWords } from "./words";

type Props = { slots: Slot[]; onRemove: (slot: Slot) => void };

/** The weekdays with their times. */
export function WeekList({ slots, onRemove }: Props) {
  return (
    <section aria-label={queueWords.weeklyTimes}>
      <ul className="grid">
        {weekdays.map((weekday) => (
          <Day
            key={weekday}
            weekday={weekday}
            slots={slots.filter((slot) => slot.weekday === weekday)}
            onRemove={onRemove}
          />
        ))}
      </ul>
    </section>
  );
}

function Day({ weekday, slots, onRemove }: Props & { weekday: Weekday }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = dayName(weekday);
  function remove(slot: Slot) {
    heading.current?.focus(); // the button disappears, so move the focus
    onRemove(slot);
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-2">
      <h2 ref={heading} tabIndex={-1} className="w-28 font-medium">
        {name}
      </h2>
      {slots.length === 0 && <p className="flex min-h-11 items-center text-muted text-sm">{queueWords.noTimes}</p>}
      <ul className="flex flex-wrap gap-2">
        {slots.map((slot) => (
          <li key={slot.time} className="flex items-center rounded-lg border border-edge bg-surface pl-3">
            <time dateTime={slot.time}>{timeName(slot.time)}</time>
            <button
              type="button"
              onClick={() => remove(slot)}
              aria-label={queueWords.remove(name, timeName(slot.time))}
              className="inline-flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Checkboxes for the weekdays. */
export function WeekdayBoxes({ at }: { at: FieldAt }) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">{queueWords.days}</legend>
      <div className="flex flex-wrap gap-x-5">
        {weekdays.map((day) => (
          <label key={day} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input type="checkbox" value={day} className="size-5 shrink-0 accent-accent" {...at.props} />
            {dayName(day)}
          </label>
        ))}
      </div>
      <FieldError {...at.error} />
    </fieldset>
  );
}
