import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

/**
 * Reduces an official OpenAPI 3 description to the requests that an adapter sends, for validation by `openApi`:
 *
 *     npx tsx lib/networks/testing/extract.ts <description.json|yaml> <extract.json> --source <address> --date <YYYY-MM-DD> \
 *       "POST /2/tweets" "GET /2/users/me"
 *
 * Without operations, the existing extract's operations are read again from a newer description.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Node = { [name: string]: Json };

/** Keywords that are only for readers, and responses, are removed. */
const PROSE = new Set(["description", "summary", "title", "example", "examples", "externalDocs", "deprecated", "xml"]);

const [from = "", to = "", ...rest] = process.argv.slice(2);
const before = read(to);
const source = option("--source") ?? String(before.source ?? "");
const date = option("--date") ?? String(before.date ?? "");
const operations = rest.length > 0 ? rest : operationsOf(before);
if (!from || !to || !source || !date || operations.length === 0) {
  throw new Error("extract.ts <description> <extract.json> --source <address> --date <YYYY-MM-DD> <operation>…");
}
const whole = read(from);
writeFileSync(to, `${JSON.stringify(extract(), null, 2)}\n`);

function extract(): Node {
  const paths: Node = {};
  const schemas: Node = {};
  for (const operation of operations) {
    const [method = "", path = ""] = operation.split(" ");
    const item = node(node(whole.paths)[path]);
    const described = item[method.toLowerCase()];
    if (!described) throw new Error(`${from} has no ${operation}`);
    paths[path] = { ...node(paths[path]), [method.toLowerCase()]: requestOf(node(described), item, schemas) };
  }
  const { openapi = "", info, servers = [] } = whole;
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const version = node(info).version ?? "";
  return { source, version, date, openapi, servers: lean(servers), paths, components: { schemas: sorted } };
}

/** Returns parameters and body of one operation; adds the schemas it references to those given. */
function requestOf(operation: Node, item: Node, schemas: Node): Node {
  const parameters = [...list(item.parameters), ...list(operation.parameters)].map((one) => lean(resolved(one)));
  const body = operation.requestBody ? lean(resolved(operation.requestBody)) : undefined;
  const request: Node = { parameters, ...(body === undefined ? {} : { requestBody: body }) };
  collect(request, schemas);
  return request;
}

function collect(value: Json, schemas: Node): void {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    if (schemas[name] !== undefined) continue;
    schemas[name] = lean(node(node(whole.components).schemas)[name] ?? {});
    collect(schemas[name], schemas);
  }
}

/** Removes prose and extensions, but keeps the names of properties. */
function lean(value: Json): Json {
  if (Array.isArray(value)) return value.map(lean);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !PROSE.has(name) && !name.startsWith("x-"));
  return Object.fromEntries(kept.map(([name, one]) => [name, name === "properties" ? leanProperties(one) : lean(one)]));
}

function leanProperties(properties: Json): Json {
  return Object.fromEntries(Object.entries(node(properties)).map(([name, schema]) => [name, lean(schema)]));
}

function resolved(value: Json): Json {
  const { $ref } = node(value);
  if (typeof $ref !== "string") return value;
  return $ref
    .slice(2)
    .split("/")
    .reduce<Json>((at, name) => node(at)[name] ?? {}, whole);
}

function operationsOf(described: Node): string[] {
  return Object.entries(node(described.paths)).flatMap(([path, item]) =>
    Object.keys(node(item)).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function option(name: string): string | undefined {
  const at = rest.indexOf(name);
  return at < 0 ? undefined : rest.splice(at, 2)[1];
}

function read(path: string): Node {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (path === to) return {};
    throw error;
  }
}

function node(value: Json | undefined): Node {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
