"use client";
import { useMemo } from "react";
import { ownZone, zoneName } from "./zone";

type Props = { id: string; value: string; onChange: (zone: string) => void; describedBy?: string };

/** Every zone that there is; the reader's own stands first. */
export function ZoneSelect({ id, value, onChange, describedBy }: Props) {
  const own = ownZone();
  const zones = useMemo(() => [...new Set([own, value, "UTC", ...Intl.supportedValuesOf("timeZone")])], [own, value]);
  return (
    <select
      id={id}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      aria-describedby={describedBy}
      className="min-h-11 w-full max-w-72 rounded-lg border border-edge bg-surface px-3 py-2"
    >
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zoneName(zone)}
        </option>
      ))}
    </select>
  );
}
