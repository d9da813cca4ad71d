import fc from "fast-check";

/** The part of JSON Schema that the routes' schemas use. */
export type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  format?: string;
};

/** JSON texts of values that a schema allows, or any JSON without a schema. */
export function textOf(schema: Schema | undefined): fc.Arbitrary<string> {
  return shapedBy(schema ?? {}).map((value) => JSON.stringify(value) ?? "null");
}

function shapedBy(schema: Schema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && choices.length > 0) return fc.oneof(...choices.map(shapedBy));
  switch (schema.type) {
    case "string":
      return stringOf(schema);
    case "integer":
      return fc
        .maxSafeInteger()
        .map((number) => Math.min(Math.max(number, schema.minimum ?? number), schema.maximum ?? number));
    case "number":
      return fc.double({ noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(shapedBy(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case "object":
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringOf({ format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === "email") return fc.emailAddress();
  if (format === "uri") return fc.webUrl();
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, shapedBy(shape)]));
  return fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
}
