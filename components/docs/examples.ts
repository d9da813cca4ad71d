import type { OpenApi, OpenApiOperation, Parameter } from "@/lib/api";
import { type DocumentedCall, documentedCalls } from "./places";

/**
 * The example of a call in each language, from the examples of the OpenAPI document. All of them send the same request.
 * The access token is the environment variable `TOKEN`, and `requests` is the Python package of that name.
 */
export function codeExamplesOf(document: OpenApi, call: DocumentedCall): { [language in CodeLanguage]: string } {
  const request = requestOf(document, call);
  return { curl: curlOf(request), node: nodeOf(request), python: pythonOf(request) };
}

export const LANGUAGES = ["curl", "node", "python"] as const;
export type CodeLanguage = (typeof LANGUAGES)[number];

type Body =
  | { kind: "json"; value: unknown }
  | { kind: "text"; type: string; text: string }
  /** The parts of a form: names of files in the current folder. */
  | { kind: "files"; files: { [part: string]: string } };

type ExampleRequest = {
  method: string;
  url: string;
  needsToken: boolean;
  headers: [name: string, value: string][];
  body?: Body;
  answers: "json" | "text" | "nothing";
};

function requestOf(document: OpenApi, { path, method, operation }: DocumentedCall): ExampleRequest {
  const parameters = (operation.parameters ?? []).flatMap((one) => ("in" in one ? [one] : []));
  return {
    method: method.toUpperCase(),
    url: `${document.servers[0]?.url}${pathOf(path, parameters)}${queryOf(parameters)}`,
    needsToken: operation.security.length > 0,
    headers: headersOf(operation, parameters),
    body: bodyOf(operation),
    answers: answersOf(operation),
  };
}

function pathOf(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, wanted) =>
    encoded(parameters.find(({ name }) => name === wanted)?.example ?? ""),
  );
}

function queryOf(parameters: Parameter[]): string {
  const given = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const query = given.map(({ name, example }) => `${name}=${encoded(example)}`);
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** Times stay readable. A quote is escaped too, because some clients escape it and others do not. */
function encoded(example: unknown): string {
  return encodeURIComponent(String(example)).replaceAll("%3A", ":").replaceAll("'", "%27");
}

/** A partner's call on behalf of a user shows the user header. */
function headersOf({ security, parameters: all = [] }: OpenApiOperation, parameters: Parameter[]): [string, string][] {
  const own = parameters.filter((one) => one.in === "header" && one.example !== undefined);
  const isPartners =
    security.length === 1 && all.some((one) => "$ref" in one && one.$ref.endsWith("/ConnectExternalUserId"));
  return [
    ...own.map(({ name, example }): [string, string] => [name, String(example)]),
    ...(isPartners ? [["X-Connect-External-User-Id", "customer-42"] satisfies [string, string]] : []),
  ];
}

function bodyOf({ requestBody }: OpenApiOperation): Body | undefined {
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(requestBody?.content ?? {});
  const value = Object.values(examples)[0]?.value;
  if (value === undefined) return undefined;
  if (type === "multipart/form-data") return { kind: "files", files: value as { [part: string]: string } };
  if (type === "application/json") return { kind: "json", value };
  return { kind: "text", type, text: String(value) };
}

function answersOf({ responses }: OpenApiOperation): ExampleRequest["answers"] {
  const success = Object.entries(responses).find(([status]) => Number(status) < 300)?.[1];
  const [type] = Object.keys(success?.content ?? {});
  if (!type) return "nothing";
  return type.endsWith("json") ? "json" : "text";
}

function curlOf({ method, url, needsToken, headers, body }: ExampleRequest): string {
  const usual = body ? "POST" : "GET";
  const parts = [
    `curl ${method === usual ? "" : `-X ${method} `}${inShell(url)}`,
    // In double quotes, so that the shell fills in the token.
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
  ];
  if (body?.kind === "json") {
    const json = JSON.stringify(body.value, null, 2).replaceAll("\n", "\n  ");
    parts.push('-H "Content-Type: application/json"', `-d ${inShell(json)}`);
  }
  if (body?.kind === "text") parts.push(`-H "Content-Type: ${body.type}"`, `--data-raw ${inShell(body.text)}`);
  if (body?.kind === "files") {
    parts.push(...Object.entries(body.files).map(([part, file]) => `-F ${inShell(`${part}=@${file}`)}`));
  }
  return parts.join(" \\\n  ");
}

/** A word for a POSIX shell: in single quotes nothing has a meaning but the quote itself. */
function inShell(text: string): string {
  return /^[\w:/.@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function nodeOf({ method, url, needsToken, headers, body, answers }: ExampleRequest): string {
  const lines: string[] = [];
  if (body?.kind === "files") {
    lines.push('import { openAsBlob } from "node:fs";', "", "const form = new FormData();");
    for (const [part, file] of Object.entries(body.files)) {
      const name = JSON.stringify(file);
      lines.push(`form.append(${JSON.stringify(part)}, await openAsBlob(${name}), ${name});`);
    }
  }
  const sent = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the example
    ...(needsToken ? ["    Authorization: `Bearer ${process.env.TOKEN}`,"] : []),
    ...[...headers, ...typeOf(body)].map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(sent.length > 0 ? ["  headers: {", ...sent, "  },"] : []),
    ...(body?.kind === "json" ? [`  body: JSON.stringify(${literal(body.value, inNode, "  ")}),`] : []),
    ...(body?.kind === "text" ? [`  body: ${JSON.stringify(body.text)},`] : []),
    ...(body?.kind === "files" ? ["  body: form,"] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  lines.push(`const response = await fetch(${JSON.stringify(url)}${given});`);
  const read = { json: ", await response.json()", text: ", await response.text()", nothing: "" };
  return [...lines, `console.log(response.status${read[answers]});`].join("\n");
}

function pythonOf({ method, url, needsToken, headers, body, answers }: ExampleRequest): string {
  const all = [...headers, ...(body?.kind === "json" ? [] : typeOf(body))];
  const sent = [
    ...(needsToken ? [`        "Authorization": f"Bearer {os.environ['TOKEN']}",`] : []),
    ...all.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  const options = [
    `    ${JSON.stringify(url)},`,
    ...(sent.length > 0 ? ["    headers={", ...sent, "    },"] : []),
    ...(body?.kind === "json" ? [`    json=${literal(body.value, inPython, "    ")},`] : []),
    ...(body?.kind === "text" ? [`    data=${JSON.stringify(body.text)}.encode(),`] : []),
    ...(body?.kind === "files" ? [`    files={${filesOf(body.files)}},`] : []),
  ];
  const read = { json: ", response.json()", text: ", response.text", nothing: "" };
  return [
    ...(needsToken ? ["import os", ""] : []),
    ...["import requests", ""],
    ...[`response = requests.${method.toLowerCase()}(`, ...options, ")"],
    `print(response.status_code${read[answers]})`,
  ].join("\n");
}

function filesOf(files: { [part: string]: string }): string {
  return Object.entries(files)
    .map(([part, file]) => `${JSON.stringify(part)}: open(${JSON.stringify(file)}, "rb")`)
    .join(", ");
}

/** The header with the body's type. That of a form has a boundary, which the client adds. */
function typeOf(body: Body | undefined): [string, string][] {
  if (body?.kind === "json") return [["Content-Type", "application/json"]];
  return body?.kind === "text" ? [["Content-Type", body.type]] : [];
}

type Spelling = { [value in "true" | "false" | "null"]: string } & { key(name: string): string };

const inNode: Spelling = {
  ...{ true: "true", false: "false", null: "null" },
  key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)),
};

const inPython: Spelling = { true: "True", false: "False", null: "None", key: (name) => JSON.stringify(name) };

/**
 * A JSON value as a literal of JavaScript or Python. Both read a JSON string as the same string.
 * @param indent the indent of the line in which the literal begins
 */
function literal(value: unknown, spelling: Spelling, indent: string): string {
  if (typeof value === "boolean" || value === null) return spelling[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const items = Object.entries(value as object).map(
    ([name, one]) => `${inner}${isList ? "" : `${spelling.key(name)}: `}${literal(one, spelling, inner)},\n`,
  );
  const [open, close] = isList ? "[]" : "{}";
  return items.length > 0 ? `${open}\n${items.join("")}${indent}${close}` : `${open}${close}`;
}

/** A folder or a request of a Postman collection. Source: schema.getpostman.com, collection format 2.1. */
type PostmanItem = { name: string; description?: string; item?: PostmanItem[]; request?: object };

/**
 * Returns the calls as a Postman collection: a folder for each noun, with the requests of the examples. The access token and this
 * service's address are variables of the collection. Optional query parameters without an example are there, switched off.
 */
export function postmanCollection(document: OpenApi): object {
  const calls = documentedCalls(document);
  const folders = document.tags.map(({ name, description }): PostmanItem => {
    const own = calls.filter(({ operation }) => operation.tags[0] === name);
    return { name, description, item: own.map((call) => postmanRequest(document, call)) };
  });
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: document.servers[0]?.url, type: "string" },
      { key: "token", value: "", type: "string" },
    ],
    item: folders,
  };
}

function postmanRequest(document: OpenApi, call: DocumentedCall): PostmanItem {
  const { method, needsToken, headers, body } = requestOf(document, call);
  const { summary, description } = call.operation;
  return {
    name: summary,
    request: {
      method,
      ...(needsToken ? {} : { auth: { type: "noauth" } }),
      header: [...headers, ...typeOf(body)].map(([key, value]) => ({ key, value })),
      url: postmanUrl(call),
      ...(body ? { body: postmanBody(body) } : {}),
      description,
    },
  };
}

function postmanUrl({ path, operation }: DocumentedCall): object {
  const parameters = (operation.parameters ?? []).flatMap((one) => ("in" in one ? [one] : []));
  const of = (kind: Parameter["in"]) =>
    parameters
      .filter((one) => one.in === kind)
      .map(({ name, description, example, required }) => ({
        key: name,
        value: String(example ?? ""),
        description,
        isLeftOut: example === undefined && !required,
      }));
  const segments = path
    .split("/")
    .slice(1)
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1"));
  return {
    raw: `{{baseUrl}}/${segments.join("/")}`,
    host: ["{{baseUrl}}"],
    path: segments,
    query: of("query").map(({ isLeftOut, ...one }) => ({ ...one, disabled: isLeftOut })),
    variable: of("path").map(({ isLeftOut: _, ...one }) => one),
  };
}

function postmanBody(body: Body): object {
  if (body.kind === "files") {
    const parts = Object.entries(body.files).map(([key, src]) => ({ key, type: "file", src }));
    return { mode: "formdata", formdata: parts };
  }
  if (body.kind === "text") return { mode: "raw", raw: body.text };
  return { mode: "raw", raw: JSON.stringify(body.value, null, 2), options: { raw: { language: "json" } } };
}
