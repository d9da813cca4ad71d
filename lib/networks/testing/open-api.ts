import { bodyOf, fieldsOf, type NetworkSchema, resolve, schemaChecker, type Validate } from "./fields";
import type { RequestCheck, SentRequest } from "./request-checks";

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema?: NetworkSchema;
  style?: string;
  explode?: boolean;
};
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: { [type: string]: { schema?: NetworkSchema } } };
};

/** Output of `extract.ts` from an official description. */
export type Extract = {
  source: string;
  version: string;
  date: string;
  servers: { url: string }[];
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: NetworkSchema } };
};

/** Headers that OpenAPI 3 describes outside of parameters ("Parameter Object"). */
const OWN_HEADERS = ["accept", "content-type", "authorization"];

/**
 * Validates requests against an extract of an OpenAPI 3 description: method, path, query, headers, and the body as JSON, form
 * or parts. Reports unknown fields, missing required fields and unknown addresses, except those listed in `undescribed`
 * ("POST /2/oauth2/token").
 */
export function openApi(extract: Extract, { undescribed = [] as string[] } = {}): RequestCheck {
  const { schemas } = extract.components;
  const validate = schemaChecker(schemas);
  const routes = routesOf(extract);
  return async (sent) => {
    if (undescribed.includes(`${sent.method} ${sent.path}`)) return [];
    const route = routes.find((one) => one.method === sent.method && one.pattern.test(sent.path));
    if (!route) return [`no such address in ${extract.source}`];
    const inPath = route.pattern.exec(sent.path)?.groups ?? {};
    return [
      ...parameterProblems(route.operation, sent, inPath, validate, schemas),
      ...(await bodyProblems(route.operation, sent, validate, schemas)),
    ];
  };
}

/** Sorts fixed paths before those with parameters. */
function routesOf({ paths, servers }: Extract) {
  const base = new URL(servers[0]?.url ?? "/", "http://localhost").pathname.replace(/\/$/, "");
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: patternOf(`${base}${path}`),
      operation,
      names: path.split("{").length,
    })),
  );
  return routes.toSorted((a, b) => a.names - b.names);
}

function patternOf(path: string): RegExp {
  const quoted = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${quoted.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function parameterProblems(
  { parameters = [] }: Operation,
  sent: SentRequest,
  inPath: { [name: string]: string },
  validate: Validate,
  schemas: { [name: string]: NetworkSchema },
): string[] {
  const unknown = [...new Set(sent.query.keys())].filter(
    (name) => !parameters.some((one) => one.in === "query" && one.name === name),
  );
  const wrong = parameters.flatMap((parameter) => {
    if (parameter.in === "header" && OWN_HEADERS.includes(parameter.name.toLowerCase())) return [];
    const written = writtenAs(parameter, sent, inPath);
    if (written.length === 0) return parameter.required ? [`${parameter.in} ${parameter.name} is missing`] : [];
    const schema = parameter.schema ?? {};
    const isList = resolve(schema, schemas).type === "array";
    const values = isList && parameter.explode === false ? written.flatMap((one) => one.split(",")) : written;
    const value = fieldsOf({ [parameter.name]: values }, { properties: { [parameter.name]: schema } }, schemas);
    return validate(schema, value[parameter.name]).map((problem) => `${parameter.in} ${parameter.name}: ${problem}`);
  });
  return [...unknown.map((name) => `query ${name} is unknown`), ...wrong];
}

function writtenAs(
  { name, in: place }: Parameter,
  { query, headers }: SentRequest,
  inPath: { [name: string]: string },
) {
  if (place === "query") return query.getAll(name);
  const value = place === "path" ? decodeURIComponent(inPath[name] ?? "") : headers.get(name);
  return value ? [value] : [];
}

async function bodyProblems(
  { requestBody }: Operation,
  sent: SentRequest,
  validate: Validate,
  schemas: { [name: string]: NetworkSchema },
): Promise<string[]> {
  const type = sent.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
  const isRelated = type === "multipart/related" && requestBody?.content["application/json"];
  if (isRelated) return bodyProblems({ requestBody }, await firstPart(sent), validate, schemas);
  if (!requestBody) return sent.body.length > 0 ? ["a body where none is described"] : [];
  const schema = requestBody.content[type]?.schema;
  if (!schema) return [`a body of type "${type}" where ${Object.keys(requestBody.content).join(", ")} are described`];
  return validate(schema, await bodyOf(sent, type, schema, schemas)).map((problem) => `body: ${problem}`);
}

/** The resource of an upload that sends it together with the file (RFC 2387): its first part. */
async function firstPart(sent: SentRequest): Promise<SentRequest> {
  const [, boundary = ""] = /boundary=([^;]+)/.exec(sent.headers.get("content-type") ?? "") ?? [];
  const [, part = ""] = new TextDecoder("latin1").decode(sent.body).split(`--${boundary}\r\n`);
  const [head = "", ...body] = part.split("\r\n\r\n");
  const [, type = ""] = /^content-type:\s*([^;\r\n]+)/im.exec(head) ?? [];
  const bytes = Buffer.from(body.join("\r\n\r\n").replace(/\r\n$/, ""), "latin1");
  return { ...sent, headers: new Headers({ "content-type": type }), body: new Uint8Array(bytes) };
}
