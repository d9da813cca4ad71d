import type { SentRequest } from "./proxy";
import { resolve, type Schema } from "./schema";

type Schemas = { [name: string]: Schema };

/** Parses a body to the value that its schema describes; invalid JSON stays text. */
export async function bodyOf(sent: SentRequest, type: string, schema: Schema, schemas: Schemas): Promise<unknown> {
  if (type === "multipart/form-data" || type === "application/x-www-form-urlencoded") {
    return fieldsOf(await formOf(sent), schema, schemas);
  }
  return type.includes("json")
    ? jsonOf(new TextDecoder().decode(sent.body))
    : new TextDecoder("latin1").decode(sent.body);
}

/** Returns a form's fields in the order sent; files become empty texts. */
export async function formOf(sent: SentRequest): Promise<{ [name: string]: string[] }> {
  const form = await new Response(new Uint8Array(sent.body), { headers: sent.headers }).formData();
  const fields: { [name: string]: string[] } = {};
  for (const [name, value] of form) fields[name] = [...(fields[name] ?? []), typeof value === "string" ? value : ""];
  return fields;
}

/** Converts texts to numbers, booleans, lists and objects as their schemas say. */
export function fieldsOf(
  fields: { [name: string]: string[] },
  schema: Schema,
  schemas: Schemas,
): { [name: string]: unknown } {
  const properties = propertiesOf(schema, schemas);
  return Object.fromEntries(
    Object.entries(fields).map(([name, written]) => {
      const property = resolve(properties[name] ?? {}, schemas);
      if (property.type !== "array") return [name, typed(written[0] ?? "", property)];
      const items = resolve((property.items as Schema | undefined) ?? {}, schemas);
      return [name, written.map((one) => typed(one, items))];
    }),
  );
}

/** Collects the properties of all parts of a composed schema. */
function propertiesOf(schema: Schema, schemas: Schemas): Schemas {
  const target = resolve(schema, schemas);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => (target[keyword] as Schema[] | undefined) ?? []);
  return Object.assign({}, target.properties, ...parts.map((part) => propertiesOf(part, schemas)));
}

function typed(text: string, { type }: Schema): unknown {
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
