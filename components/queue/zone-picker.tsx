"use client";
import { useId } from "react";
import { ownZone, zoneName } from "../time/zone";
import { ZoneSelect } from "../time/zone-select";
import * as words from "../words/queue";

type Props = { value: string; onChange: (zone: string) => void };

/** The zone that a queue's times are read in. */
export function ZonePicker({ value, onChange }: Props) {
  const id = useId();
  const own = ownZone();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {words.timeZone}
      </label>
      <ZoneSelect
        id={id}
        known={value}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="text-muted text-sm">
        {words.readInIt} {value !== own && `${words.ownClock(zoneName(own))} `}
        {words.plannedStays}
      </p>
    </div>
  );
}
