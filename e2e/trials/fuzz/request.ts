import type { Asked, Headers } from "../http";
import type { Plan } from "./plan";

/** A valid request in parts, so that each part can be changed separately. */
export type Example = {
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  params?: Headers;
  query?: string;
  headers?: Headers;
  /** Sent as JSON, or as a form if `form` is set. */
  json?: unknown;
  form?: Headers;
  /** Any other body, sent unchanged. */
  raw?: string | Buffer;
};

/** Applies a plan to a valid request. */
export function requestOf(example: Example, plan: Plan): { target: string; asked: Asked } {
  const params = Object.entries(example.params ?? {});
  const path = params.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => plan.segment ?? encodeURIComponent(value)),
    example.path,
  );
  const query = plan.query ?? example.query;
  const body = bodyOf(example, plan);
  const type = example.form ? "application/x-www-form-urlencoded" : "application/json";
  const right = {
    ...(body === undefined || example.raw !== undefined ? {} : { "content-type": type }),
    ...example.headers,
  };
  return {
    target: query === undefined || query === "" ? path : `${path}?${query}`,
    asked: { method: example.method, headers: changed(right, plan.headers ?? {}), body },
  };
}

/** An empty value removes the header, except for the one that is worth trying empty. */
function changed(right: Headers, wrong: Headers): Headers {
  const all = Object.entries({ ...right, ...wrong });
  return Object.fromEntries(all.filter(([name, value]) => value !== "" || name === "idempotency-key"));
}

function bodyOf(example: Example, { body }: Plan): string | Buffer | undefined {
  if (body?.kind === "whole") return body.body;
  if (example.raw !== undefined) return example.raw;
  if (example.form) return formText(example.form, body);
  if (example.json === undefined && !body) return undefined;
  return jsonText(example.json ?? {}, body);
}

function formText(form: Headers, change: Exclude<Plan["body"], { kind: "whole" }>): string {
  const fields = Object.entries(form);
  if (!change) return new URLSearchParams(fields).toString();
  const at = change.place % fields.length;
  const others = fields.filter((_, index) => index !== at || (change.kind === "value" && change.how !== "replace"));
  const name = fields[at]?.[0] ?? "x";
  const added = change.kind === "missing" ? "" : `&${name}=${encodeURIComponent(change.text)}`;
  return new URLSearchParams(others).toString() + added;
}

const MARK = "place that is changed";

/**
 * The text of a JSON value with one place changed. The new value is inserted as text, because JavaScript values cannot
 * express everything worth sending (two fields of the same name, 1e400).
 */
function jsonText(value: unknown, change: Exclude<Plan["body"], { kind: "whole" }>): string {
  if (!change) return JSON.stringify(value);
  const places = placesIn(value);
  const path = places[change.place % places.length] ?? [];
  const name = path.at(-1);
  if (name === undefined) return change.kind === "missing" ? "" : change.text;
  const marked = structuredClone(value);
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), marked);
  const before = JSON.stringify(Reflect.get(Object(parent), name));
  if (change.kind === "missing") {
    Reflect.deleteProperty(Object(parent), name);
    return JSON.stringify(marked);
  }
  Reflect.set(Object(parent), name, MARK);
  const isField = typeof name === "string";
  const beside = isField ? `,"unknown field":${change.text}` : `,${change.text}`;
  const twice = isField ? `,${JSON.stringify(name)}:${change.text}` : `,${change.text}`;
  const texts = { replace: change.text, beside: `${before}${beside}`, twice: `${before}${twice}` };
  return JSON.stringify(marked).replace(JSON.stringify(MARK), () => texts[change.how]);
}

/** The paths of all values inside a value, starting with the value itself. */
export function placesIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inner.flatMap(([name, one]) => placesIn(one, [...path, name]))];
}

/** A request in one line for a report. Long or binary bodies are shortened. */
export function summaryOf({ target, asked }: { target: string; asked: Asked }): string {
  const { authorization, ...headers } = asked.headers ?? {};
  const known = authorization && authorization.length > 200 ? "Bearer …" : authorization;
  const body = Buffer.isBuffer(asked.body) ? `bytes ${asked.body.toString("hex").slice(0, 200)}` : asked.body;
  return `${asked.method} ${target.slice(0, 300)} ${JSON.stringify({ ...headers, authorization: known })} ${JSON.stringify(body?.slice(0, 400))}`;
}
