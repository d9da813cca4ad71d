// `node packages/sdk/build.mjs` builds the package into dist/. With --types it writes src/openapi.ts: the types of the product's
// OpenAPI document; a test fails if that file is out of date. With --release it writes released.json, the document with which
// changes.mjs compares later ones; do that at each release.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";
import openapiTypes, { astToString } from "openapi-typescript";

/** What types cannot express. The reference at /docs shows it. */
const NOT_TYPES = [
  "description",
  "title",
  "format",
  "pattern",
  "default",
  "example",
  "examples",
  "discriminator",
  "isOptional",
];
/** Their answers are whole documents, which no program reads by field. */
const NOT_CALLED = ["/v1/openapi.json", "/v1/me/export"];

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--types")) await writeTypes();
  else if (process.argv.includes("--release")) await writeReleased();
  else await buildPackage();
}

/** Writes dist/: one script and one file with the types. */
async function buildPackage() {
  const at = (path) => join(import.meta.dirname, path);
  await rm(at("dist"), { recursive: true, force: true });
  const config = { preferredConfigPath: at("tsconfig.json") };
  const [types] = generateDtsBundle([{ filePath: at("src/index.ts"), output: { noBanner: true } }], config);
  await build({
    ...{ entryPoints: [at("src/index.ts")], outfile: at("dist/index.js"), logLevel: "error" },
    ...{ bundle: true, format: "esm", platform: "neutral", target: "es2022", minify: true },
  });
  // A third of the schemas are spaces.
  await writeFile(
    at("dist/index.d.ts"),
    types.replace(/^export interface Schemas [\s\S]*?^\}/m, (schemas) => schemas.replace(/\n\s*/g, "")),
  );
}

async function writeTypes() {
  await writeFile(join(import.meta.dirname, "src/openapi.ts"), await typesOf(await productDocument()));
}

async function writeReleased() {
  const { paths, webhooks, components } = await productDocument();
  const { schemas } = components;
  const whole = withoutNotes({
    paths: withoutErrors(paths),
    webhooks,
    components: { schemas: withoutNotes(schemas, true) },
  });
  await writeFile(join(import.meta.dirname, "released.json"), `${JSON.stringify(whole, null, 1)}\n`);
}

/** Leaves only what types can tell. */
function withoutErrors(paths) {
  const calls = Object.entries(paths).filter(([path]) => path.startsWith("/v1/"));
  const slim = ({ parameters = [], requestBody, responses }) => ({
    parameters: parameters.filter((one) => one.in === "query"),
    requestBody,
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith("2"))),
  });
  return mapValues(Object.fromEntries(calls), (methods) => mapValues(methods, slim));
}

async function productDocument() {
  // The document names the addresses in the settings. A separate data folder keeps the product from writing to the checkout.
  const folder = await mkdtemp(join(tmpdir(), "carillon-types-"));
  process.env.DATA_DIR = folder;
  (await import("tsx/esm/api")).register();
  const { openApiDocument } = await import("../../lib/api/index.ts");
  await rm(folder, { recursive: true });
  return JSON.parse(JSON.stringify(openApiDocument()));
}

/**
 * Returns the types of an OpenAPI document, as small as they can be, because they are half of the package: its schemas; what each
 * call under /v1 takes and returns; and the data of each event. Errors are left out, because the SDK throws them, and so are
 * headers and the names in paths, which calls.ts adds.
 * @param {import("../../lib/api/openapi/types").OpenApi} document
 * @param {string[]} leftOut paths without types
 */
export async function typesOf(document, leftOut = NOT_CALLED) {
  const { paths, webhooks, components } = document;
  const own = Object.entries(paths).filter(([path]) => path.startsWith("/v1/") && !leftOut.includes(path));
  const calls = objectOf(mapValues(Object.fromEntries(own), (methods) => objectOf(mapValues(methods, callOf))));
  const events = objectOf(mapValues(webhooks, (webhook) => dataOf(webhook, components.schemas)));
  const used = usedIn([calls, events], components.schemas);
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name));
  const ast = await openapiTypes({
    openapi: "3.1.1",
    info: { title: "Carillon", version: "1" },
    paths: {},
    components: { schemas: withoutNotes({ ...Object.fromEntries(schemas), Calls: calls, Events: events }, true) },
  });
  const types = astToString(ast).replace(/\/\*\*[\s\S]*?\*\//g, "");
  const whole = types.slice(types.indexOf("{", types.indexOf("schemas:")), types.indexOf("responses: never"));
  const named = whole
    .replaceAll('components["schemas"]', "Schemas")
    .replaceAll("Record<string, never>", "object")
    .replace(/\n\s*\n/g, "\n")
    .replace(/;\s*$/, "");
  return `// Generated by \`node packages/sdk/build.mjs --types\`.\nexport interface Schemas ${named}\n`;
}

/** @param properties schemas by name, all of them required unless they are marked as optional */
function objectOf(properties) {
  const required = Object.keys(properties).filter((name) => !properties[name].isOptional);
  return { type: "object", properties, required };
}

/** Returns a schema of what a call takes and returns. */
function callOf({ parameters = [], requestBody, responses }) {
  const queries = parameters.filter((one) => one.in === "query");
  const query = objectOf(
    Object.fromEntries(queries.map(({ name, schema, required }) => [name, { ...schema, isOptional: !required }])),
  );
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies = answers.flatMap(([, { content }]) => Object.values(content ?? {}).map(({ schema }) => schema));
  return objectOf({
    ...(queries.length > 0 ? { query: { ...query, isOptional: query.required.length === 0 } } : {}),
    ...(requestBody ? { body: { ...firstOf(requestBody), isOptional: !requestBody.required } } : {}),
    ...(bodies.length > 0 ? { result: bodies.length === 1 ? bodies[0] : { oneOf: bodies } } : {}),
  });
}

function firstOf({ content }) {
  return Object.values(content)[0].schema;
}

/** Every event has a `type`, a `timestamp` and `data`. */
function dataOf({ post }, schemas) {
  const { $ref } = firstOf(post.requestBody);
  return schemas[$ref.split("/").at(-1)].properties.data;
}

/** Sorts the keys, because the order of the calls in the document depends on the order in which the routes are loaded. */
function mapValues(object, map) {
  const entries = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value)]));
}

/** @param isNames the keys are names that the API chose, such as those of properties */
function withoutNotes(value, isNames = false) {
  if (Array.isArray(value)) return value.map((one) => withoutNotes(one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !NOT_TYPES.includes(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNotes(one, key === "properties" && !isNames)]));
}

/** Returns the names of the schemas that a part of the document refers to, directly or through other schemas. */
function usedIn(part, schemas, found = new Set()) {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    usedIn(schemas[name], schemas, found);
  }
  return found;
}
