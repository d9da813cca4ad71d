import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { SentRequest } from "./request-checks";

export type NetworkSchema = { [keyword: string]: unknown };
export type Validate = (schema: NetworkSchema, value: unknown) => string[];

const NAMED = ["properties", "patternProperties"];
const COMPOSED = ["allOf", "anyOf", "oneOf"];

/**
 * Checks values against OpenAPI schemas, more strictly than OpenAPI requires: objects must not have unnamed fields, and
 * `readOnly` fields must not be sent. Supports `nullable` of OpenAPI 3.0.
 */
export function schemaChecker(schemas: { [name: string]: NetworkSchema }): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: false, logger: false });
  addFormats.default(ajv);
  const own = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema, schemas)]));
  ajv.addSchema({ $id: "described", components: { schemas: own } });
  const known = new Map<NetworkSchema, ValidateFunction>();
  return (schema, value) => {
    const validate = known.get(schema) ?? ajv.compile(pointed(closed(schema, schemas)));
    known.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const what = Object.values(params).map(String).join(", ");
      return `${instancePath || "the whole"} ${message} (${what})`;
    });
  };
}

/** Resolves a reference. */
export function resolve(schema: NetworkSchema, schemas: { [name: string]: NetworkSchema }): NetworkSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  return name === undefined ? schema : resolve(schemas[name] ?? {}, schemas);
}

/** Accepts only the named fields; a schema without names accepts all. */
function closed(schema: NetworkSchema, schemas: { [name: string]: NetworkSchema }): NetworkSchema {
  const strict = open(schema, schemas);
  return namesFields(schema, schemas) ? { allOf: [strict], unevaluatedProperties: false } : strict;
}

function namesFields(schema: NetworkSchema, schemas: { [name: string]: NetworkSchema }): boolean {
  const target = resolve(schema, schemas);
  const parts = COMPOSED.flatMap((keyword) => (target[keyword] as NetworkSchema[] | undefined) ?? []);
  return NAMED.some((keyword) => keyword in target) || parts.some((part) => namesFields(part, schemas));
}

/** Closes nested objects; a schema composed of parts is closed around all of them. */
function open(schema: NetworkSchema, schemas: { [name: string]: NetworkSchema }): NetworkSchema {
  const { nullable, discriminator: _, ...rest } = schema;
  const hidden = Object.entries((rest.properties as { [name: string]: NetworkSchema } | undefined) ?? {})
    .filter(([, property]) => resolve(property, schemas).readOnly)
    .map(([name]) => name);
  const made = Object.entries(rest).map(([keyword, value]) => {
    if (COMPOSED.includes(keyword)) return [keyword, (value as NetworkSchema[]).map((part) => open(part, schemas))];
    if (NAMED.includes(keyword)) {
      const fields = Object.entries(value as { [name: string]: NetworkSchema });
      return [
        keyword,
        Object.fromEntries(fields.map(([name, one]) => [name, hidden.includes(name) ? false : closed(one, schemas)])),
      ];
    }
    if (keyword === "required") return [keyword, (value as string[]).filter((name) => !hidden.includes(name))];
    const isSchema = (keyword === "items" || keyword === "additionalProperties") && typeof value === "object";
    return [keyword, isSchema ? closed(value as NetworkSchema, schemas) : value];
  });
  return nullable ? { anyOf: [Object.fromEntries(made), { type: "null" }] } : Object.fromEntries(made);
}

/** References point into the description's own schemas. */
function pointed(schema: NetworkSchema): NetworkSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"described#/'));
}

type Schemas = { [name: string]: NetworkSchema };

/** Parses a body to the value that its schema describes; invalid JSON stays text. */
export async function bodyOf(
  sent: SentRequest,
  type: string,
  schema: NetworkSchema,
  schemas: Schemas,
): Promise<unknown> {
  if (type === "multipart/form-data" || type === "application/x-www-form-urlencoded") {
    return fieldsOf(await formFieldsOf(sent), schema, schemas);
  }
  return type.includes("json")
    ? jsonOf(new TextDecoder().decode(sent.body))
    : new TextDecoder("latin1").decode(sent.body);
}

/** Returns a form's fields in the order sent; files become empty texts. */
export async function formFieldsOf(sent: SentRequest): Promise<{ [name: string]: string[] }> {
  const form = await new Response(new Uint8Array(sent.body), { headers: sent.headers }).formData();
  const fields: { [name: string]: string[] } = {};
  for (const [name, value] of form) fields[name] = [...(fields[name] ?? []), typeof value === "string" ? value : ""];
  return fields;
}

/** Converts texts to numbers, booleans, lists and objects as their schemas say. */
export function fieldsOf(
  fields: { [name: string]: string[] },
  schema: NetworkSchema,
  schemas: Schemas,
): { [name: string]: unknown } {
  const properties = propertiesOf(schema, schemas);
  return Object.fromEntries(
    Object.entries(fields).map(([name, written]) => {
      const property = resolve(properties[name] ?? {}, schemas);
      if (property.type !== "array") return [name, typed(written[0] ?? "", property)];
      const items = resolve((property.items as NetworkSchema | undefined) ?? {}, schemas);
      return [name, written.map((one) => typed(one, items))];
    }),
  );
}

/** Collects the properties of all parts of a composed schema. */
function propertiesOf(schema: NetworkSchema, schemas: Schemas): Schemas {
  const target = resolve(schema, schemas);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap(
    (keyword) => (target[keyword] as NetworkSchema[] | undefined) ?? [],
  );
  return Object.assign({}, target.properties, ...parts.map((part) => propertiesOf(part, schemas)));
}

function typed(text: string, { type }: NetworkSchema): unknown {
  if (type === "string" || type === undefined) return text;
  return jsonOf(text);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
