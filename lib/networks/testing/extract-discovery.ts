import { readFileSync, writeFileSync } from "node:fs";

/**
 * Converts one of Google's discovery documents to the OpenAPI extract that `openApi` validates requests against:
 * npx tsx lib/networks/testing/extract-discovery.ts <document> <extract.json> --date YYYY-MM-DD <method id>…
 */

type Json = null | boolean | number | string | Json[] | Node;
type Node = { [name: string]: Json };

const [from = "", to = "", , date = "", ...ids] = process.argv.slice(2);
if (ids.length === 0)
  throw new Error("extract-discovery.ts <document> <extract.json> --date <YYYY-MM-DD> <method id>…");
const whole: Node = JSON.parse(readFileSync(from, "utf8"));
writeFileSync(to, `${JSON.stringify(extract(), null, 2)}\n`);

function extract(): Node {
  const paths: { [path: string]: Node } = {};
  const schemas: Node = {};
  for (const id of ids) {
    const described = methodOf(id);
    const path = `/${pathOf(described)}`;
    const request: Node = { parameters: parametersOf(described), ...bodyOf(described, schemas) };
    paths[path] = { ...paths[path], [String(described.httpMethod).toLowerCase()]: request };
  }
  const source = `https://youtube.googleapis.com/$discovery/rest?version=v3, revision ${whole.revision}`;
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const version = String(whole.version);
  return {
    source,
    version,
    date,
    openapi: "3.1.0",
    servers: [{ url: String(whole.rootUrl) }],
    paths,
    components: { schemas: sorted },
  };
}

/** `youtube.videos.list` is at `resources.videos.methods.list`. */
function methodOf(id: string): Node {
  const names = id.split(".").slice(1);
  const last = names.pop() ?? "";
  const holder = names.reduce((at, name) => node(node(at.resources)[name]), whole);
  const described = node(node(holder.methods)[last]);
  if (!described.httpMethod) throw new Error(`${from} has no ${id}`);
  return described;
}

function pathOf(described: Node): string {
  const upload = node(node(node(described.mediaUpload).protocols).simple).path;
  return String(upload ?? described.flatPath).replace(/^\//, "");
}

/** The method's own parameters plus `uploadType`, which every upload accepts. */
function parametersOf(described: Node): Json[] {
  const upload = described.mediaUpload ? { uploadType: node(node(whole.parameters).uploadType) } : {};
  return Object.entries({ ...node(described.parameters), ...upload }).map(([name, one]) => {
    const { type, location, required, repeated, minimum, maximum, pattern, enum: values } = node(one);
    const bounds = {
      ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
      ...(maximum === undefined ? {} : { maximum: Number(maximum) }),
    };
    const schema: Node = {
      type: type ?? "string",
      ...bounds,
      ...(pattern ? { pattern } : {}),
      ...(values ? { enum: values } : {}),
    };
    return {
      name,
      in: String(location),
      ...(required ? { required } : {}),
      ...(repeated ? { explode: false, schema: { type: "array", items: schema } } : { schema }),
    };
  });
}

/** The request resource, or the file itself if the method has none. */
function bodyOf(described: Node, schemas: Node): Node {
  const { $ref } = node(described.request);
  if (typeof $ref === "string") {
    collect($ref, schemas);
    return { requestBody: { content: { "application/json": { schema: { $ref: `#/components/schemas/${$ref}` } } } } };
  }
  const accepted = node(described.mediaUpload).accept;
  if (!Array.isArray(accepted)) return {};
  return {
    requestBody: {
      content: Object.fromEntries(accepted.map((type) => [String(type), { schema: { type: "string" } }])),
    },
  };
}

function collect(name: string, schemas: Node): void {
  if (schemas[name] !== undefined) return;
  const written = JSON.stringify(lean(node(whole.schemas)[name] ?? {}));
  schemas[name] = JSON.parse(written.replace(/"\$ref":"(\w+)"/g, '"$ref":"#/components/schemas/$1"'));
  for (const [, other = ""] of written.matchAll(/"\$ref":"(\w+)"/g)) collect(other, schemas);
}

/** Removes prose and formats of numbers that JSON represents as text. */
function lean(value: Json): Json {
  if (Array.isArray(value)) return value.map(lean);
  if (value === null || typeof value !== "object") return value;
  const prose = [
    "description",
    "enumDescriptions",
    "enumDeprecated",
    "annotations",
    "id",
    "deprecated",
    "default",
    "format",
  ];
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, one]) =>
          !prose.includes(name) || (typeof one === "object" && !Array.isArray(one) && name !== "annotations"),
      )
      .map(([name, one]) => [name, lean(one)]),
  );
}

function node(value: Json | undefined): Node {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}
