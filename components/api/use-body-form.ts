"use client";
import { type SyntheticEvent, useEffect, useId, useRef } from "react";
import { type DefaultValues, type FieldValues, get, type Path, type RegisterOptions, useForm } from "react-hook-form";
import { type BodyForm, bodyResolver, refusalsOf } from "./body-resolver";

type Options<Values extends FieldValues> = BodyForm<Values> & {
  defaultValues: DefaultValues<Values>;
  /** Sends the validated values. Errors it throws are shown in the form. */
  send: (values: Values) => unknown;
};

/** A field of such a form. */
export type FieldAt = ReturnType<ReturnType<typeof useBodyForm>["at"]>;

/**
 * A form whose body is validated with the API's own schema before it is sent (ADR 20). Problems are shown at their
 * fields.
 */
export function useBodyForm<Values extends FieldValues>({ defaultValues, send, ...bodyForm }: Options<Values>) {
  const id = useId();
  const form = useForm<Values>({ defaultValues, resolver: bodyResolver(bodyForm), shouldFocusError: false });
  const { errors, isSubmitting } = form.formState;
  const underWay = useRef(false);
  // The page may re-render while the form is validated, so call the latest `send`.
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  function focusFirst(isWrong: (field: Path<Values>) => boolean): void {
    const first = bodyForm.fields.find(isWrong);
    // After the messages are rendered, so that a screen reader reads both.
    if (first) setTimeout(() => form.setFocus(first));
  }

  /** Shows the API's error at its fields, and the rest as `refusal`. */
  function showError(error: Error): void {
    const { at, rest } = refusalsOf(bodyForm, error);
    for (const [field, message] of at) form.setError(field, { type: "api", message });
    if (rest !== "") form.setError("root", { type: "api", message: rest });
    focusFirst((field) => at.has(field));
  }

  const press = form.handleSubmit(
    (values) => orShowError(() => latest.current(values)),
    (wrong) => focusFirst((field) => get(wrong, field) !== undefined),
  );

  async function orShowError(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      showError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    form,
    showError,
    /** Whether the form is being validated or sent. */
    isBusy: isSubmitting,
    /** The error that belongs to no field. */
    refusal: errors.root?.message,
    submit(event: SyntheticEvent): void {
      event.preventDefault();
      void alone(underWay, () => press(event));
    },
    /** Runs another action of the form's buttons, never at the same time as sending. */
    instead(work: () => Promise<unknown>): void {
      void alone(underWay, () => {
        form.clearErrors("root");
        return orShowError(work);
      });
    },
    /** The props and the error of a field. @param hint the ID of an additional description */
    at(name: Path<Values>, options?: RegisterOptions<Values, Path<Values>>, hint?: string) {
      const text = form.getFieldState(name, form.formState).error?.message;
      const error = { id: `${id}-${name}`, text };
      const describedBy = [hint, text && error.id].filter(Boolean).join(" ");
      return {
        props: {
          ...form.register(name, options),
          "aria-invalid": text !== undefined || undefined,
          "aria-describedby": describedBy || undefined,
        },
        error,
      };
    },
  };
}

/** Runs `work` unless it is running already: a second press can come before React has rendered the busy state. */
export async function alone(underWay: { current: boolean }, work: () => Promise<unknown>): Promise<void> {
  if (underWay.current) return;
  underWay.current = true;
  try {
    await work();
  } finally {
    underWay.current = false;
  }
}
