import { type FieldErrors, type FieldValues, get, type Path, type Resolver, set } from "react-hook-form";
import type { ZodType } from "zod";
import { type Problem, problemSentence } from "@/lib/errors";
import { ApiFailure } from "./client";

/** Turns form values into a request body and maps problems back to fields. */
export type BodyForm<Values extends FieldValues> = {
  /** In visual order. A field named like a body field shows the problems of that body field. */
  fields: readonly Path<Values>[];
  /** Loads the API's schema of the body. */
  schema: () => Promise<ZodType>;
  bodyOf: (values: Values) => unknown;
  /** Maps any other path in the body to a field. */
  fieldOf?: (path: string) => Path<Values> | undefined;
  /** Missing values that only the form can detect; shown before the schema's problems. */
  lacksOf?: (values: Values) => { [field in Path<Values>]?: string };
  /** The form's own message for a problem; undefined keeps the API's message. */
  says?: (problem: Problem, values: Values) => string | undefined;
};

/**
 * Validates a form with the same schema the API uses, so that an invalid body is not sent. The schema and zod are
 * loaded on the first validation. If loading fails, or a problem belongs to no field, the API decides.
 */
export function bodyResolver<Values extends FieldValues>(form: BodyForm<Values>): Resolver<Values> {
  return async (values) => {
    const errors: FieldErrors<Values> = {};
    function addError(field: Path<Values> | undefined, message: string | undefined): void {
      // Keep only the first message of each field.
      if (field && message && !get(errors, field)) set(errors, field, { type: "body", message });
    }
    const lacks = form.lacksOf?.(values);
    for (const field of form.fields) addError(field, lacks?.[field]);
    for (const problem of await problemsOf(form, values)) {
      addError(fieldAt(form, problem.path), form.says?.(problem, values) ?? problemSentence(problem));
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}

async function problemsOf<Values extends FieldValues>(form: BodyForm<Values>, values: Values): Promise<Problem[]> {
  // In this order: check-body configures zod before any schema is created.
  const loaded = await import("./check-body")
    .then(async ({ problemsIn }) => ({ problemsIn, schema: await form.schema() }))
    .catch(() => undefined);
  return loaded ? loaded.problemsIn(loaded.schema, form.bodyOf(values)) : [];
}

/** Returns the field for a path of the body: `events` for `events[2]`. */
function fieldAt<Values extends FieldValues>({ fields, fieldOf }: BodyForm<Values>, path: string) {
  const isAt = (field: string) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
  return fieldOf?.(path) ?? fields.find(isAt);
}

/** Splits the API's error message: the first sentence that names each field, and the rest. */
export function refusalsOf<Values extends FieldValues>(
  form: BodyForm<Values>,
  error: Error,
): { at: Map<Path<Values>, string>; rest: string } {
  const at = new Map<Path<Values>, string>();
  if (!(error instanceof ApiFailure) || error.status !== 400) return { at, rest: error.message };
  const rest: string[] = [];
  for (const sentence of error.message.split("; ")) {
    const field = fieldAt(form, /^[^\s:]+/.exec(sentence)?.[0] ?? "");
    if (!field) rest.push(sentence);
    else if (!at.has(field)) at.set(field, sentence);
  }
  return { at, rest: rest.join("; ") };
}
