import { type FieldErrors, type FieldValues, get, type Path, type Resolver, set } from "react-hook-form";
import type { ZodType } from "zod";
import { type Problem, problemSentence } from "@/lib/errors";
import { ApiFailure } from "./client";

/** How what stands in a form becomes the body of a call, and where what is wrong with that body is told. */
export type BodyForm<Values extends FieldValues> = {
  /** In the order in which they stand. One that is called as a field of the body is told what is wrong with that. */
  fields: readonly Path<Values>[];
  /** Fetches the schema by which the API reads the body. */
  schema: () => Promise<ZodType>;
  bodyOf: (values: Values) => unknown;
  /** Where a problem with another path in the body is told. */
  fieldOf?: (path: string) => Path<Values> | undefined;
  /** What only the form knows to be missing; told before what the schema says. */
  lacksOf?: (values: Values) => { [field in Path<Values>]?: string };
  /** A problem in the form's own words; the API's stand where it answers nothing. */
  says?: (problem: Problem, values: Values) => string | undefined;
};

/**
 * Checks a form by the very schema by which the API reads its body, so that nothing is sent that the API would send back. Both
 * the schema and zod are fetched when a form is first checked. Where that fails, and for what belongs to no field, the API is
 * asked and judges.
 */
export function bodyResolver<Values extends FieldValues>(form: BodyForm<Values>): Resolver<Values> {
  return async (values) => {
    const errors: FieldErrors<Values> = {};
    function tell(field: Path<Values> | undefined, message: string | undefined): void {
      // The first that is said of a field.
      if (field && message && !get(errors, field)) set(errors, field, { type: "body", message });
    }
    const lacks = form.lacksOf?.(values);
    for (const field of form.fields) tell(field, lacks?.[field]);
    for (const problem of await problemsOf(form, values)) {
      tell(fieldAt(form, problem.path), form.says?.(problem, values) ?? problemSentence(problem));
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}

async function problemsOf<Values extends FieldValues>(form: BodyForm<Values>, values: Values): Promise<Problem[]> {
  // One after the other: the first says how schemas are made.
  const loaded = await import("./check-body")
    .then(async ({ problemsIn }) => ({ problemsIn, schema: await form.schema() }))
    .catch(() => undefined);
  return loaded ? loaded.problemsIn(loaded.schema, form.bodyOf(values)) : [];
}

/** The field at which something is told that is wrong at a path of the body: `events` for `events[2]`. */
function fieldAt<Values extends FieldValues>({ fields, fieldOf }: BodyForm<Values>, path: string) {
  const isAt = (field: string) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
  return fieldOf?.(path) ?? fields.find(isAt);
}

/** What the API has refused: at the fields that its sentences begin with, the first of each, and the rest as it was said. */
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
