import type { ComponentProps, ReactNode } from "react";
import type { FieldAt } from "../api/use-body-form";

type Props = Omit<ComponentProps<"input">, "name"> & {
  label: string;
  at: FieldAt;
  /** Additional content of the label. */
  children?: ReactNode;
};

/** An input field with its label and error. */
export function InputField({ label, at, className = "", children, ...input }: Props) {
  return (
    <div className="grid content-start justify-items-start gap-1">
      <label className="grid justify-items-start gap-1 font-medium text-sm">
        {label}
        <input
          {...input}
          {...at.props}
          className={`min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base ${className}`}
        />
        {children}
      </label>
      <FieldError {...at.error} />
    </div>
  );
}

type FieldErrorProps = {
  /** Referenced by the field's `aria-describedby`. */
  id: string;
  text: string | undefined;
};

/** A field's error message. */
export function FieldError({ id, text }: FieldErrorProps) {
  if (!text) return null;
  return (
    <p id={id} role="alert" className="wrap-anywhere text-sm text-wrong">
      {text}
    </p>
  );
}
