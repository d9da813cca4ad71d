"use client";
import { type FormEvent, type ReactNode, useId } from "react";
import { WeekdayBoxes } from "../queue/weekday-boxes";
import { ZoneSelect } from "../time/zone-select";
import { Button } from "../ui/button";
import type { Draft } from "./wish";

type Props = { draft: Draft; problem: string | undefined; change: (changed: Partial<Draft>) => void; ask: () => void };

const choice =
  "flex min-h-12 flex-1 basis-36 cursor-pointer items-center gap-3 rounded-xl border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft";
const field = "min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base";

/** On which days, at what time, until when. */
export function WishForm({ draft, problem, change, ask }: Props) {
  const id = useId();
  function submit(event: FormEvent) {
    event.preventDefault();
    ask();
  }
  const radio = (name: "every" | "ends", value: string) => ({
    type: "radio" as const,
    name: `${id}-${name}`,
    checked: draft[name] === value,
    onChange: () => change({ [name]: value }),
    className: "size-5 accent-(--accent)",
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <Group legend="How often">
        <label className={choice}>
          <input {...radio("every", "DAY")} /> Every day
        </label>
        <label className={choice}>
          <input {...radio("every", "WEEK")} /> Every week
        </label>
        <label className={choice}>
          <input {...radio("every", "MONTH")} /> Every month
        </label>
      </Group>
      {draft.every === "WEEK" && <WeekdayBoxes chosen={draft.weekdays} onChange={(weekdays) => change({ weekdays })} />}
      {draft.every === "MONTH" && (
        <label className="grid justify-items-start gap-1 font-medium text-sm">
          Day of the month
          <input
            type="number"
            min={1}
            max={31}
            value={Number.isNaN(draft.dayOfMonth) ? "" : draft.dayOfMonth}
            onChange={({ target }) => change({ dayOfMonth: target.valueAsNumber })}
            className={`${field} w-24`}
          />
          {draft.dayOfMonth > 28 && (
            <span className="font-normal text-muted">A month that has no such day gets it on its last.</span>
          )}
        </label>
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <label className="grid gap-1 font-medium text-sm">
          Time
          <input
            type="time"
            value={draft.time}
            onChange={({ target }) => change({ time: target.value })}
            className={field}
          />
        </label>
        <div className="grid min-w-0 gap-1">
          <label htmlFor={`${id}-zone`} className="font-medium text-sm">
            Time zone
          </label>
          <ZoneSelect id={`${id}-zone`} value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
        </div>
      </div>
      <Group legend="Until">
        <label className={choice}>
          <input {...radio("ends", "count")} /> A number of times
        </label>
        <label className={choice}>
          <input {...radio("ends", "until")} /> A last day
        </label>
      </Group>
      {draft.ends === "count" ? (
        <label className="grid justify-items-start gap-1 font-medium text-sm">
          Times, at most 100
          <input
            type="number"
            min={1}
            max={100}
            value={Number.isNaN(draft.count) ? "" : draft.count}
            onChange={({ target }) => change({ count: target.valueAsNumber })}
            className={`${field} w-24`}
          />
        </label>
      ) : (
        <label className="grid justify-items-start gap-1 font-medium text-sm">
          Last day
          <input
            type="date"
            value={draft.until}
            onChange={({ target }) => change({ until: target.value })}
            className={field}
          />
        </label>
      )}
      {problem && (
        <p role="alert" className="text-wrong">
          {problem}
        </p>
      )}
      <Button type="submit" look="quiet" className="justify-self-start">
        Show the dates
      </Button>
    </form>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  );
}
