import type { ReactNode } from "react";

/** The classes of input fields. */
export const FIELD = "min-h-11 w-full min-w-0 rounded-lg border border-edge bg-surface px-3";

/** A label above its control, with a hint. */
export function Labelled({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in `children`
    <label className="grid gap-1">
      <span className="font-medium">{label}</span>
      {children}
      {hint && <span className="text-muted text-sm">{hint}</span>}
    </label>
  );
}

/** Hidden form values. */
export function Hidden({ values }: { values: { [name: string]: string } }) {
  return Object.entries(values).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
