import type { OpenApi, OpenApiOperation, Parameter } from "@/lib/api";

/** A parameter of a call. */
export type CallField = {
  name: string;
  in: "path" | "query";
  required: boolean;
  about?: string;
  example?: string;
};

/** An API call, as the "Try the API" page needs it. */
export type TryableCall = {
  id: string;
  /** In upper case. */
  method: string;
  path: string;
  /** Its summary. */
  title: string;
  noun: string;
  fields: CallField[];
  /** An example of its body. */
  body?: string;
  /** The media type of that body. */
  bodyType?: string;
  /** The parts of a multipart body that are files. */
  files: string[];
  effect: Effect;
  /** How to see what a call would publish without doing it: by its own `dryRun`, or by validating the same body. */
  rehearsal?: "dryRun" | "validate";
};

/** What a call can do: nothing, a change in Carillon, or something public on a network. */
export type Effect = "reads" | "changes" | "publishes";

/** A POST that takes no `Idempotency-Key` changes nothing. */
export function effectOf(method: string, { parameters = [], ...operation }: OpenApiOperation): Effect {
  if (operation["x-publishes"]) return "publishes";
  const isRepeatable = parameters.some((one) => "$ref" in one && one.$ref.endsWith("/IdempotencyKey"));
  return method === "get" || (method === "post" && !isRepeatable) ? "reads" : "changes";
}

/** Returns the calls that a user can make with a session, in the document's order. */
export function tryableCalls(document: OpenApi): TryableCall[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security.some((one) => "session" in one))
      .map(([method, operation]) => callOf(method, path, operation)),
  );
}

function callOf(method: string, path: string, operation: OpenApiOperation): TryableCall {
  const { operationId: id, summary: title, tags, parameters = [], requestBody } = operation;
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(requestBody?.content ?? {});
  const example = Object.values(examples)[0]?.value;
  const isForm = type === "multipart/form-data";
  const fields = parameters.flatMap((one) => ("in" in one && one.in !== "header" ? [fieldOf(one, one.in)] : []));
  const isRehearsed = fields.some(({ name }) => name === "dryRun");
  return {
    ...{ id, method: method.toUpperCase(), path, title, noun: tags[0] },
    effect: effectOf(method, operation),
    // The box “Publish for real” takes the place of `dryRun`.
    fields: fields.filter(({ name }) => name !== "dryRun"),
    ...(isRehearsed ? { rehearsal: "dryRun" } : VALIDATED.has(id) ? { rehearsal: "validate" } : {}),
    files: isForm ? Object.keys(example ?? { file: "" }) : [],
    ...(requestBody && !isForm ? { body: textOf(example), bodyType: type } : {}),
  };
}

/** The calls whose body `POST /v1/posts/validate` takes too. */
const VALIDATED = new Set(["createPost", "updatePost"]);

/** Text stays as it is; anything else becomes JSON. */
function textOf(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example ?? {}, null, 2);
}

function fieldOf({ name, required, description, example }: Parameter, place: CallField["in"]): CallField {
  const shown = example === undefined ? {} : { example: String(example) };
  return { name, in: place, required, ...(description ? { about: description } : {}), ...shown };
}
