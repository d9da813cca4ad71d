"use client";
import { useId } from "react";
import { ownZone, zoneName } from "../time/zone";
import { ZoneSelect } from "../time/zone-select";
import { queueWords } from "./words";

type Props = { value: string; onChange: (zone: string) => void };

/** The zone that a queue's times are read in. */
export function ZonePicker({ value, onChange }: Props) {
  const id = useId();
  const own = ownZone();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {queueWords.timeZone}
      </label>
      <ZoneSelect
        id={id}
        known={value}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="text-muted text-sm">
        {queueWords.readInIt} {value !== own && `${queueWords.ownClock(zoneName(own))} `}
        {queueWords.plannedStays}
      </p>
    </div>
  );
}
