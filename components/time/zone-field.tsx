"use client";
import { type ComponentProps, useId, useMemo } from "react";
import type { FieldAt } from "../api/use-body-form";
import { FieldError } from "../ui/input-field";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { ownZone, zoneName } from "./zone";

type Props = { label: string; at: FieldAt; known: string };

/** A time zone field with its error. */
export function ZoneField({ label, at, known }: Props) {
  const id = useId();
  return (
    <div className="grid min-w-0 content-start gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <ZoneSelect id={id} known={known} {...at.props} />
      <FieldError {...at.error} />
    </div>
  );
}

type ZoneSelectProps = ComponentProps<"select"> & {
  /** The current zone, listed even under an unusual name. */
  known: string;
};

/** All time zones, the reader's own first. */
export function ZoneSelect({ known, ...select }: ZoneSelectProps) {
  const isHydrated = useIsHydrated();
  // The server knows neither the reader's zone nor which zones the browser has.
  const zones = useMemo(
    () => (isHydrated ? [...new Set([ownZone(), known, "UTC", ...Intl.supportedValuesOf("timeZone")])] : [known]),
    [isHydrated, known],
  );
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
