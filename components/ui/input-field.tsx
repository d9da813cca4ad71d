import type { ComponentProps, ReactNode } from "react";
import type { FieldAt } from "../api/use-body-form";

type Props = Omit<ComponentProps<"input">, "name"> & {
  label: string;
  at: FieldAt;
  /** More about it, read with the label. */
  children?: ReactNode;
};

/** A small field below its label, with what is wrong with it. */
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
  /** By which the field names it. */
  id: string;
  text: string | undefined;
};

/** What is wrong with a field, beside it. */
export function FieldError({ id, text }: FieldErrorProps) {
  if (!text) return null;
  return (
    <p id={id} role="alert" className="wrap-anywhere text-sm text-wrong">
      {text}
    </p>
  );
}
