import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../api";
import type { OpenApi, OpenApiOperation, OpenApiResponse } from "../api/openapi/types";

const document: OpenApi = openApiDocument();
const { schemas } = document.components;
const checkers = {
  drafts: checker(schemas),
  /** Only drafts may have settings that are not valid. */
  others: checker({ ...schemas, DraftSettings: { not: {} } }),
};

function checker($defs: object) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv, ["date", "date-time", "uri", "uuid", "email"]);
  ajv.addFormat("binary", true);
  for (const keyword of ["discriminator", "example"]) ajv.addKeyword(keyword);
  ajv.addSchema(pointing({ $id: "openapi", $defs }));
  return { ajv, compiled: new Map<unknown, ValidateFunction>() };
}

const isOfDraft = (value: unknown) => /"isDraft":true|"overallStatus":"DRAFT"/.test(JSON.stringify(value) ?? "");

/** Returns the differences between a value and a schema of the OpenAPI document. */
export function misfits(schema: object, value: unknown): string[] {
  const { ajv, compiled } = checkers[isOfDraft(value) ? "drafts" : "others"];
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(pointing(schema));
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
}

/** Rewrites the schema's references to the place where ajv finds them. */
function pointing(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"openapi#/$defs/'));
}

/** The success statuses of each operation that this file's tests have seen. */
export const seen = new Set<string>();

type Call = { method?: string; headers?: { [name: string]: string }; body?: unknown };

/**
 * Compares an answer with the OpenAPI document: its status, headers and body, and after a success the request too. Every call
 * by the clients of `owners.ts` passes through here.
 * @throws Error with every difference
 */
export async function assertAsDocumented(path: string, { method = "GET", headers = {}, body }: Call, answer: Response) {
  const found = operationAt(new URL(path, "http://localhost").pathname, method.toLowerCase());
  const said = found ? found.operation.responses[answer.status] : strayAnswer(answer.status);
  const name = `${method} ${path}: ${answer.status}`;
  if (!said) throw new Error(`${name} is not in the OpenAPI document`);
  const problems = [...headerProblems(said, answer), ...(await bodyProblems(said, answer, method))];
  if (found && answer.ok) {
    seen.add(`${found.operation.operationId} ${answer.status}`);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    problems.push(...requestProblems(found.operation, path, isForm ? undefined : body));
  }
  if (problems.length > 0) throw new Error(`${name} is not as documented: ${problems.join("; ")}`);
}

const paths = Object.entries(document.paths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
}));

function operationAt(path: string, method: string) {
  const read = method === "head" ? "get" : method;
  for (const { template, operations, pattern } of paths) {
    const operation = operations[read];
    if (operation && pattern.test(path) && isMostExact(template, path)) return { operation };
  }
  return undefined;
}

/** `/v1/posts/validate` is its own path, not the post with the ID `validate`. */
function isMostExact(template: string, path: string): boolean {
  return template === path || !Object.hasOwn(document.paths, path);
}

function strayAnswer(status: number): OpenApiResponse | undefined {
  const { RouteNotFound, MethodNotAllowed } = document.components.responses;
  return { 404: RouteNotFound, 405: MethodNotAllowed, 429: rateLimited() }[status];
}

function rateLimited(): OpenApiResponse | undefined {
  return document.paths["/v1/accounts"]?.get?.responses[429];
}

/** Headers of the answer that the document lists must match their schema. */
function headerProblems({ headers = {} }: OpenApiResponse, answer: Response): string[] {
  return Object.entries(headers).flatMap(([name, { $ref }]) => {
    const value = answer.headers.get(name);
    const header = document.components.headers[$ref.split("/").at(-1) ?? ""];
    if (!header) return [`the header ${name} has no description`];
    return value === null ? [] : misfits(header.schema, value).map((problem) => `${name}${problem}`);
  });
}

async function bodyProblems({ content }: OpenApiResponse, answer: Response, method: string): Promise<string[]> {
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const text = type === "application/json" || !content ? await answer.clone().text() : "";
  if (!content) return text === "" ? [] : ["it has a body"];
  const media = content[type] ?? content["*/*"];
  if (!media) return answer.status === 304 ? [] : [`it is ${type || "without a type"}`];
  return method === "HEAD" || type !== "application/json" ? [] : misfits(media.schema, JSON.parse(text));
}

/** An accepted request must be one that the document allows. */
function requestProblems({ parameters = [], requestBody }: OpenApiOperation, path: string, body: unknown): string[] {
  const query = new URL(path, "http://localhost").searchParams;
  const known = parameters.flatMap((one) => ("in" in one && one.in === "query" ? [one] : []));
  const unknown = [...query.keys()].filter((name) => !known.some((one) => one.name === name));
  const missing = known.filter((one) => one.required && !query.has(one.name));
  const wrong = known.flatMap(({ name, schema }) => {
    const text = query.get(name);
    const value = schema.type === "integer" ? Number(text) : text;
    return text === null ? [] : misfits(schema, value).map((problem) => `?${name}${problem}`);
  });
  const schema = requestBody?.content["application/json"]?.schema;
  const sent = schema && typeof body === "string" ? misfits(schema, JSON.parse(body)) : [];
  return [
    ...unknown.map((name) => `?${name} is not in the document`),
    ...missing.map(({ name }) => `?${name} is required in the document`),
    ...wrong,
    ...sent.map((problem) => `the body that was sent: ${problem}`),
  ];
}
