"use client";
import { type ComponentProps, useMemo } from "react";
import { ownZone, zoneName } from "./zone";

type Props = ComponentProps<"select"> & {
  /** The zone that holds now: it stands among them whatever it is called. */
  known: string;
};

/** Every zone that there is; the reader's own stands first. */
export function ZoneSelect({ known, ...select }: Props) {
  const own = ownZone();
  const zones = useMemo(() => [...new Set([own, known, "UTC", ...Intl.supportedValuesOf("timeZone")])], [own, known]);
  return (
    <select {...select} className="min-h-11 w-full max-w-72 rounded-lg border border-edge bg-surface px-3 py-2">
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zoneName(zone)}
        </option>
      ))}
    </select>
  );
}
