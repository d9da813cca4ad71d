"use client";
import { useId } from "react";
import type { FieldAt } from "../api/use-body-form";
import { FieldError } from "../ui/field-error";
import { ZoneSelect } from "./zone-select";

type Props = { label: string; at: FieldAt; known: string };

/** The zone in which a form's times are read, with what is wrong with it below. */
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
