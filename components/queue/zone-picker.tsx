"use client";
import { useId } from "react";
import { ownZone, zoneName } from "../time/zone";
import { ZoneSelect } from "../time/zone-select";

type Props = { value: string; onChange: (zone: string) => void };

/** The zone that a queue's times are read in. */
export function ZonePicker({ value, onChange }: Props) {
  const id = useId();
  const own = ownZone();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        Time zone
      </label>
      <ZoneSelect id={id} value={value} onChange={onChange} describedBy={`${id}-hint`} />
      <p id={`${id}-hint`} className="text-muted text-sm">
        All times below are read in it.{value !== own && ` Your own clock is in ${zoneName(own)}.`} What is planned
        already stays where it is, unless you say so when you are asked.
      </p>
    </div>
  );
}
