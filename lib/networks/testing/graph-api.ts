import { formFieldsOf, type NetworkSchema, schemaChecker, type Validate } from "./fields";
import type { RequestCheck, SentRequest } from "./request-checks";

/** Output of `extract-nodes.ts` from Meta's descriptions: types by parameter, with `!` after required ones. */
export type Nodes = {
  source: string;
  date: string;
  nodes: { [name: string]: { fields: string[]; edges: { [call: string]: { [parameter: string]: string } } } };
};

/**
 * Maps addresses to descriptions: `{ "POST /v1.0/{id}/media": { edge: "IGUser POST:media" } }`. `fields` lists the possible
 * nodes at the address; one of them must have all requested fields.
 */
export type Addresses = { [address: string]: { edge?: string; fields?: string[] } };

/** Parameters that every call and every list accepts. */
const EVERYWHERE = ["access_token", "appsecret_proof", "fields", "limit", "after", "before"];

/**
 * Validates requests to a Graph API against its node descriptions: addresses, parameters, types and requested fields.
 * @param values the forms of parameters whose value is JSON, which the descriptions type only as objects, maps or lists
 */
export function graphApi(
  { source, nodes }: Nodes,
  addresses: Addresses,
  values: { [parameter: string]: NetworkSchema } = {},
): RequestCheck {
  const routes = Object.entries(addresses).map(([address, of]) => ({ pattern: patternOf(address), ...of }));
  const validate = schemaChecker({});
  return async (sent) => {
    const called = `${sent.method} ${sent.path}`;
    const route = routes.find(({ pattern }) => pattern.test(called));
    if (!route) return [`no such address in ${source}`];
    const given = await parametersOf(sent);
    const [node = "", call = ""] = route.edge?.split(" ") ?? [];
    const known = nodes[node]?.edges[call] ?? {};
    return [
      ...parameterProblems(given, known, { values, validate }),
      ...fieldProblems(given.fields, route.fields ?? [], nodes),
    ];
  };
}

function patternOf(address: string): RegExp {
  return new RegExp(`^${address.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** Merges query and form, because the Graph API accepts parameters in both. */
async function parametersOf(sent: SentRequest): Promise<{ [name: string]: string }> {
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(
    sent.headers.get("content-type") ?? "",
  );
  const form = isForm ? await formFieldsOf(sent) : {};
  const written = Object.entries(form).map(([name, [value = ""]]) => [name, value]);
  return { ...Object.fromEntries(sent.query), ...Object.fromEntries(written) };
}

type Values = { values: { [parameter: string]: NetworkSchema }; validate: Validate };

function parameterProblems(
  given: { [name: string]: string },
  known: { [name: string]: string },
  { values, validate }: Values,
): string[] {
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const parameter = name.replace(/\[\d+\]$/, ""); // `attached_media[0]`
    const type = known[parameter];
    if (type === undefined) return EVERYWHERE.includes(name) ? [] : [`parameter ${name} is unknown`];
    if (!isOfType(type.replace("!", ""), value)) return [`parameter ${name} is not ${type}: ${value}`];
    const form = values[parameter];
    if (form) return validate(form, jsonOf(value)).map((problem) => `parameter ${name}: ${problem}`);
    const isText = type.replace("!", "") === "string" || !/^[[{]/.test(value);
    return isText ? [] : [`the form of parameter ${name} is not described: ${value}`];
  });
  const missing = Object.entries(known).filter(([name, type]) => type.endsWith("!") && given[name] === undefined);
  return [...wrong, ...missing.map(([name]) => `parameter ${name} is missing`)];
}

function isOfType(type: string, value: string): boolean {
  if (type === "file") return true; // its bytes are not text
  if (type === "bool") return /^(true|false)$/.test(value);
  if (type === "int" || type === "unsigned int") return /^\d+$/.test(value);
  if (type === "map" || type === "Object" || type.startsWith("list<map")) return isJson(value);
  return value !== "";
}

function isJson(value: string): boolean {
  return typeof jsonOf(value) === "object";
}

/** The value of a JSON text; undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldProblems(asked: string | undefined, candidates: string[], nodes: Nodes["nodes"]): string[] {
  if (asked === undefined) return [];
  const fields = asked
    .replace(/\{[^}]*\}/g, "")
    .split(",")
    .map((field) => field.replace(/\..*$/, "")); // `picture.width(200)`
  const unknown = candidates.map((name) => fields.filter((field) => !nodes[name]?.fields.includes(field)));
  if (unknown.some((left) => left.length === 0)) return [];
  return [`fields ${asked} are not all of ${candidates.join(" or ")}`];
}
