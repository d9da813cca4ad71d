import fc from "fast-check";
import { bodies, headers, queries, segments, values } from "./inputs";
import { type Schema, textOf } from "./schema";

/** How a request differs from a valid one. Absent parts are unchanged. Plain data, so that a report can print it. */
export type Plan = {
  segment?: string;
  query?: string;
  headers?: { [name: string]: string };
  body?:
    | { kind: "value"; place: number; how: "replace" | "twice" | "beside"; text: string }
    | { kind: "missing"; place: number }
    | { kind: "whole"; body: string | Buffer };
};

/** Plans that change a valid request by one curated input each. */
export const curated: Plan[] = [
  ...values.map((text, place): Plan => ({ body: { kind: "value", place, how: "replace", text } })),
  ...bodies.map((body): Plan => ({ body: { kind: "whole", body } })),
  ...segments.map((segment): Plan => ({ segment })),
  ...queries.map((query): Plan => ({ query })),
  ...headers.map((changed): Plan => ({ headers: changed })),
];

/** Not fast-check's unit `binary`, which prepares a table of all 1,114,112 characters in each process that loads this file. */
const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit, maxLength: 40 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.double().map((number) => JSON.stringify(number)) },
);
const place = fc.nat(60);
const encoded = fc.string({ unit, maxLength: 30 }).map(percentEncoded);

/** Generates requests close to the valid one, also from the route's schemas. About one in seven is the valid request. */
export function planFor(body: Schema | undefined, query: Schema | undefined): fc.Arbitrary<Plan> {
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("value" as const), place, how: how(), text: anyText }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("missing" as const), place }) },
    { weight: 2, arbitrary: fc.constantFrom(...bodies).map((whole) => ({ kind: "whole" as const, body: whole })) },
    { weight: 2, arbitrary: textOf(body).map((whole) => ({ kind: "whole" as const, body: whole })) },
  );
  const wrong = fc.record(
    {
      segment: fc.oneof(fc.constantFrom(...segments), encoded),
      query: fc.oneof(fc.constantFrom(...queries), queryOf(query)),
      headers: fc.constantFrom(...headers),
      body: change,
    },
    { requiredKeys: [] },
  );
  const oneWrong = fc.oneof(
    fc.record({ body: change }),
    fc.record({ segment: fc.oneof(fc.constantFrom(...segments), encoded) }),
    fc.record({ query: fc.oneof(fc.constantFrom(...queries), queryOf(query)) }),
    fc.record({ headers: fc.constantFrom(...headers) }),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: oneWrong },
    { weight: 2, arbitrary: wrong },
  );
}

function how() {
  return fc.constantFrom("replace" as const, "replace" as const, "twice" as const, "beside" as const);
}

/** Query strings with the declared parameters and arbitrary values. */
function queryOf(schema: Schema | undefined): fc.Arbitrary<string> {
  const names = Object.entries(schema?.properties ?? { any: {} });
  const pair = fc
    .constantFrom(...names)
    .chain(([name, shape]) => fc.oneof(encoded, textOf(shape).map(unquoted)).map((value) => `${name}=${value}`));
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join("&"));
}

function unquoted(json: string): string {
  const value: unknown = JSON.parse(json);
  return percentEncoded(typeof value === "string" ? value : json);
}

/** Like `encodeURIComponent`, but encodes a lone surrogate as its three bytes instead of throwing. */
function percentEncoded(text: string): string {
  return [...text]
    .map((character) => (character.isWellFormed() ? encodeURIComponent(character) : "%ed%a0%80"))
    .join("");
}
