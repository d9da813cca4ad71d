import { bodyOf, formFieldsOf } from "./fields";
import type { RequestCheck, SentRequest } from "./request-checks";

type Field = { name: string; types: string[]; required: boolean };

/** Output of `extract-methods.ts` from the Bot API's description (github.com/PaulSonOfLars/telegram-bot-api-spec). */
export type Methods = {
  source: string;
  version: string;
  date: string;
  methods: { [name: string]: Field[] };
  /** Objects by name; `oneOf` lists the variants of a union. */
  types: { [name: string]: { fields?: Field[]; oneOf?: string[] } };
};

/** Validates bot calls against the description: method names, unknown and missing fields, and the types of all values. */
export function botApi({ source, methods, types }: Methods): RequestCheck {
  return async (sent) => {
    const name = /^\/bot[^/]+\/(\w+)$/.exec(sent.path)?.[1] ?? "";
    const fields = methods[name];
    if (!fields) return [`no such method in ${source}`];
    const values = await valuesOf(sent, fields);
    const files = Object.keys(values).filter((one) => values[one] === "");
    return objectProblems(values, [...fields, ...attached(values, files)], types);
  };
}

/** File parts referenced by `attach://` are not fields of their own. */
function attached(values: { [name: string]: unknown }, files: string[]): Field[] {
  const said = JSON.stringify(values);
  const named = files.filter((name) => said.includes(`"attach://${name}"`));
  return named.map((name) => ({ name, types: ["InputFile"], required: false }));
}

/** Parses texts of forms and queries to the values they represent. */
async function valuesOf(sent: SentRequest, fields: Field[]): Promise<{ [name: string]: unknown }> {
  const type = sent.headers.get("content-type") ?? "";
  if (type.includes("json")) return (await bodyOf(sent, type, {}, {})) as { [name: string]: unknown }; // an object, or problems
  const form = sent.body.length > 0 ? await formFieldsOf(sent) : {};
  const texts = [...sent.query, ...Object.entries(form).map(([name, [text = ""]]) => [name, text] as const)];
  return Object.fromEntries(
    texts.map(([name, text]) => [name, read(text, fields.find((field) => field.name === name)?.types ?? [])]),
  );
}

function read(text: string, types: string[]): unknown {
  if (types.includes("String") && !types.includes("Integer")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function objectProblems(values: { [name: string]: unknown }, fields: Field[], types: Methods["types"]): string[] {
  const given = Object.keys(values).filter((name) => values[name] !== undefined);
  const unknown = given.filter((name) => !fields.some((field) => field.name === name));
  const missing = fields.filter(({ name, required }) => required && !given.includes(name));
  const wrong = fields.flatMap((field) =>
    given.includes(field.name) && !field.types.some((type) => isOfType(values[field.name], type, types))
      ? [`${field.name} is not ${field.types.join(" or ")}: ${JSON.stringify(values[field.name])}`]
      : [],
  );
  return [...unknown.map((name) => `${name} is unknown`), ...missing.map(({ name }) => `${name} is missing`), ...wrong];
}

function isOfType(value: unknown, type: string, types: Methods["types"]): boolean {
  const item = type.startsWith("Array of ") ? type.slice("Array of ".length) : undefined;
  if (item) return Array.isArray(value) && value.every((one) => isItem(one, item, types));
  if (type === "Integer") return Number.isSafeInteger(value);
  if (type === "Float") return typeof value === "number";
  if (type === "Boolean" || type === "True") return typeof value === "boolean";
  if (type === "String" || type === "InputFile") return typeof value === "string";
  const { fields, oneOf } = types[type] ?? {};
  if (oneOf) return oneOf.some((one) => isOfType(value, one, types));
  if (!fields || typeof value !== "object" || value === null) return false;
  return objectProblems(value as { [name: string]: unknown }, fields, types).length === 0; // checked to be an object
}

/** An album can mix types of items: the description has a separate list for each. */
function isItem(value: unknown, type: string, types: Methods["types"]): boolean {
  const kinds = type.startsWith("InputMedia") ? Object.keys(types).filter((name) => name.startsWith("InputMedia")) : [];
  return [type, ...kinds].some((one) => isOfType(value, one, types));
}
