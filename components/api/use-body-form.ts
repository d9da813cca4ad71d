"use client";
import { type SyntheticEvent, useEffect, useId, useRef } from "react";
import { type DefaultValues, type FieldValues, get, type Path, type RegisterOptions, useForm } from "react-hook-form";
import { type BodyForm, bodyResolver, refusalsOf } from "./body-resolver";

type Options<Values extends FieldValues> = BodyForm<Values> & {
  defaultValues: DefaultValues<Values>;
  /** Sends what was checked; what it throws is told. */
  send: (values: Values) => unknown;
};

/** A field of such a form. */
export type FieldAt = ReturnType<ReturnType<typeof useBodyForm>["at"]>;

/** A form whose body is checked by the API's own schema before it is sent (ADR 20). What is wrong is told at its fields. */
export function useBodyForm<Values extends FieldValues>({ defaultValues, send, ...bodyForm }: Options<Values>) {
  const id = useId();
  const form = useForm<Values>({ defaultValues, resolver: bodyResolver(bodyForm), shouldFocusError: false });
  const { errors, isSubmitting } = form.formState;
  const underWay = useRef(false);
  // The page goes on while a form is checked: what is sent belongs to the page of then.
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  function focusFirst(isWrong: (field: Path<Values>) => boolean): void {
    const first = bodyForm.fields.find(isWrong);
    // Once what is wrong stands beside it, for the two are read together.
    if (first) setTimeout(() => form.setFocus(first));
  }

  /** Tells what the API has refused: at its fields, the rest as `refusal`. */
  function tell(error: Error): void {
    const { at, rest } = refusalsOf(bodyForm, error);
    for (const [field, message] of at) form.setError(field, { type: "api", message });
    if (rest !== "") form.setError("root", { type: "api", message: rest });
    focusFirst((field) => at.has(field));
  }

  const press = form.handleSubmit(
    (values) => orTell(() => latest.current(values)),
    (wrong) => focusFirst((field) => get(wrong, field) !== undefined),
  );

  async function orTell(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      tell(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    form,
    tell,
    /** Being checked or sent. */
    isBusy: isSubmitting,
    /** What was refused and belongs to no field. */
    refusal: errors.root?.message,
    submit(event: SyntheticEvent): void {
      event.preventDefault();
      void alone(underWay, () => press(event));
    },
    /** Something else that the form's buttons do: not while it is sent, and it is not sent meanwhile. */
    instead(work: () => Promise<unknown>): void {
      void alone(underWay, () => {
        form.clearErrors("root");
        return orTell(work);
      });
    },
    /** What a field is given, and what stands beside it. @param hint the id of what else describes it */
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

/** Does something, unless it or its like is under way: a second press comes sooner than state that says so. */
export async function alone(underWay: { current: boolean }, work: () => Promise<unknown>): Promise<void> {
  if (underWay.current) return;
  underWay.current = true;
  try {
    await work();
  } finally {
    underWay.current = false;
  }
}
