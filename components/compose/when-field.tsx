"use client";
import type { UseFormReturn } from "react-hook-form";
import { dateAndTime, fromLocalField, fromNow, toLocalField, zoneAt } from "../time/format";
import { useNow } from "../time/use-now";
import type { Draft } from "./draft";

type Props = { form: UseFormReturn<Draft>; refused: string[] };

const choice =
  "flex min-h-12 flex-1 basis-40 cursor-pointer items-center gap-3 rounded-xl border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft";

/** Now, or a time; the line below says in which zone the time is read. */
export function WhenField({ form, refused }: Props) {
  const nowMs = useNow(10_000);
  const { when, at } = form.watch();
  const instant = fromLocalField(at);
  const later = form.register("when", { onChange: () => at || form.setValue("at", toLocalField(nextHour(nowMs))) });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">When</legend>
      <div className="flex flex-wrap gap-2">
        <label className={choice}>
          <input type="radio" value="now" {...later} className="size-5 accent-(--accent)" /> Now
        </label>
        <label className={choice}>
          <input type="radio" value="later" {...later} className="size-5 accent-(--accent)" /> Pick a time
        </label>
      </div>
      {when === "later" && (
        <div className="mt-3 grid gap-1">
          <label htmlFor="at" className="font-medium text-sm">
            Date and time
          </label>
          <input
            id="at"
            type="datetime-local"
            min={toLocalField(new Date(nowMs))}
            aria-describedby="zone"
            {...form.register("at")}
            className="min-h-11 w-full max-w-72 rounded-lg border border-edge bg-surface px-3 py-2"
          />
          <p id="zone" className="text-muted text-sm">
            {instant
              ? `${dateAndTime(instant)}, ${fromNow(instant, nowMs)}. Read in your zone, ${zoneAt(instant)}.`
              : `Read in your zone, ${zoneAt(new Date(nowMs))}.`}
          </p>
        </div>
      )}
      {refused.map((problem) => (
        <p key={problem} role="alert" className="mt-2 text-sm text-wrong">
          {problem}
        </p>
      ))}
    </fieldset>
  );
}

function nextHour(nowMs: number): Date {
  return new Date(Math.ceil((nowMs + 60_000) / 3_600_000) * 3_600_000);
}
