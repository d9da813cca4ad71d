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
export type Call = {
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
};

/** Returns the calls that a user can make with a session, in the document's order. */
export function callsOf(document: OpenApi): Call[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security.some((one) => "session" in one))
      .map(([method, operation]) => callOf(method, path, operation)),
  );
}

function callOf(method: string, path: string, operation: OpenApiOperation): Call {
  const { operationId: id, summary: title, tags, parameters = [], requestBody } = operation;
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(requestBody?.content ?? {});
  const example = Object.values(examples)[0]?.value;
  const isForm = type === "multipart/form-data";
  return {
    ...{ id, method: method.toUpperCase(), path, title, noun: tags[0] },
    fields: parameters.flatMap((one) => ("in" in one && one.in !== "header" ? [fieldOf(one, one.in)] : [])),
    files: isForm ? Object.keys(example ?? { file: "" }) : [],
    ...(requestBody && !isForm ? { body: textOf(example), bodyType: type } : {}),
  };
}

/** Text stays as it is; anything else becomes JSON. */
function textOf(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example ?? {}, null, 2);
}

function fieldOf({ name, required, description, example }: Parameter, place: CallField["in"]): CallField {
  const shown = example === undefined ? {} : { example: String(example) };
  return { name, in: place, required, ...(description ? { about: description } : {}), ...shown };
}
