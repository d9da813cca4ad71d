"use client";
import { useId, useMemo } from "react";
import { ownZone } from "../time/zone";

type Props = { value: string; onChange: (zone: string) => void };

/** The zone that a queue's times are read in; the reader's own stands first. */
export function ZonePicker({ value, onChange }: Props) {
  const id = useId();
  const own = ownZone();
  const zones = useMemo(() => [...new Set([own, value, "UTC", ...Intl.supportedValuesOf("timeZone")])], [own, value]);
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        Time zone
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-hint`}
        className="min-h-11 w-full max-w-72 rounded-lg border border-edge bg-surface px-3 py-2"
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-muted text-sm">
        All times below are read in it.{value !== own && ` Your own clock is in ${own.replaceAll("_", " ")}.`} What is
        scheduled already stays where it is.
      </p>
    </div>
  );
}
