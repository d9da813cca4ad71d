import type { OpenApi, OpenApiContent, OpenApiOperation, OpenApiResponse, Parameter } from "@/lib/api";
import { filled, type Html, html } from "../plain/page";
import { aboutOf, fieldTable, shapeName, typeOf } from "./fields";
import { code, inline, markdown } from "./markdown";
import { docsWords } from "./words";

type Call = { path: string; method: string; operation: OpenApiOperation };

/** One operation with its parameters, responses and errors. */
export function operationSection(document: OpenApi, call: Call): Html {
  const { path, method, operation } = call;
  const { operationId, summary, description } = operation;
  return html`<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="route"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
${description !== summary && markdown(description)}
<p>${accessOf(operation)}</p>
${parameterTable(document, operation)}
${bodySection(document, operation)}
<h4>${docsWords.example}</h4>
${code(curlOf(document, call), "sh")}
${answers(operation)}
${refusals(operation)}
</section>`;
}

function accessOf({ security }: OpenApiOperation): Html {
  const [first] = security;
  if (!first) return html`<span class="muted">${docsWords.needsNothing}</span>`;
  const scopes = Object.values(first).flat();
  if ("partner" in first) return filled(docsWords.needs, { token: html`<strong>${docsWords.partnersToken}</strong>` });
  return filled(docsWords.needsScope, { scope: html`<code>${scopes.join(" ")}</code>` });
}

function parameterTable(document: OpenApi, { parameters = [] }: OpenApiOperation): Html | undefined {
  const all = parameters.map((one): Parameter | undefined =>
    "in" in one ? one : document.components.parameters[shapeName(one.$ref)],
  );
  const rows = all.map(
    (one) =>
      one &&
      html`<tr><th scope="row"><code>${one.name}</code>${one.required && html` <span class="needed">${docsWords.required}</span>`}</th>
<td>${one.in}</td><td>${typeOf(one.schema)}</td><td>${one.description && html`<p>${inline(one.description)}</p>`}${aboutOf(
        document,
        { ...one.schema, $ref: undefined, description: undefined },
      )}</td></tr>`,
  );
  if (rows.length === 0) return undefined;
  return html`<table><caption>${docsWords.parameters}</caption><thead><tr><th scope="col">${docsWords.name}</th><th scope="col">${docsWords.place}</th><th scope="col">${docsWords.type}</th>
<th scope="col">${docsWords.meaning}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function bodySection(document: OpenApi, { requestBody }: OpenApiOperation): Html | undefined {
  if (!requestBody) return undefined;
  const types = Object.keys(requestBody.content);
  const schema = requestBody.content[types[0] ?? ""]?.schema ?? {};
  const sent = html`${types.map((type, index) => html`${index > 0 && docsWords.or}<code>${type}</code>`)}`;
  if (schema.properties)
    return html`<p>${filled(docsWords.sends, { types: sent })}</p>${fieldTable(document, docsWords.body, schema)}`;
  return html`<p>${filled(docsWords.sendsShape, { types: sent, shape: typeOf(schema) })}</p>`;
}

function answers({ responses }: OpenApiOperation): Html[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { description, content }]) => {
      const shape = Object.values(content ?? {})[0]?.schema;
      const title = html`<h4>${status}: ${description}${shape && html`, ${typeOf(shape)}`}</h4>`;
      return html`${title}${examplesOf(content)}`;
    });
}

function examplesOf(content: OpenApiContent | undefined): Html[] {
  const examples = Object.values(Object.values(content ?? {})[0]?.examples ?? {});
  return examples.map(({ value }) =>
    typeof value === "string" ? code(value, "csv") : code(JSON.stringify(value, null, 2), "json"),
  );
}

function refusals({ responses }: OpenApiOperation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) => casesOf(status, answer));
  return html`<details class="part"><summary>${docsWords.refusals}</summary><table><caption>${docsWords.refuses}</caption><thead><tr><th scope="col">${docsWords.status}</th>
<th scope="col">${docsWords.when}</th><th scope="col">${docsWords.body}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function casesOf(status: string, { description, content }: OpenApiResponse): Html[] {
  const examples = Object.values(Object.values(content ?? {})[0]?.examples ?? {});
  const row = (when: string, body: unknown) =>
    html`<tr><th scope="row">${status}</th><td>${inline(when)}</td><td>${
      body !== undefined && html`<code>${JSON.stringify(body)}</code>`
    }</td></tr>`;
  if (examples.length === 0) return [row(description, undefined)];
  return examples.map(({ summary, value }) => row(summary ?? description, value));
}

/** An operation's first example as a curl command; `$TOKEN` is the access token. */
function curlOf(document: OpenApi, { path, method, operation }: Call): string {
  const parameters = (operation.parameters ?? []).flatMap((one) => ("in" in one ? [one] : []));
  const url = `${document.servers[0]?.url}${pathOf(path, parameters)}${queryOf(parameters)}`;
  const parts = [
    `curl ${method === "get" || method === "post" ? "" : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headersOf(operation, parameters),
    ...bodyOf(method, operation),
  ];
  return parts.join(" \\\n  ");
}

function pathOf(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => String(exampleOf(parameters, name)));
}

function exampleOf(parameters: Parameter[], wanted: string): unknown {
  return parameters.find(({ name }) => name === wanted)?.example ?? "";
}

function queryOf(parameters: Parameter[]): string {
  const given = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const query = given.map(
    ({ name, example }) => `${name}=${encodeURIComponent(String(example)).replaceAll("%3A", ":")}`,
  );
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** A partner's call on behalf of a user shows the user header. */
function headersOf({ security, parameters: all = [] }: OpenApiOperation, parameters: Parameter[]): string[] {
  const own = parameters.filter((one) => one.in === "header" && one.example !== undefined);
  const isPartners =
    security.length === 1 && all.some((one) => "$ref" in one && one.$ref.endsWith("/ConnectExternalUserId"));
  return [
    ...own.map(({ name, example }) => `-H ${quoted(`${name}: ${example}`)}`),
    ...(isPartners ? ['-H "X-Connect-External-User-Id: customer-42"'] : []),
  ];
}

function bodyOf(method: string, { requestBody }: OpenApiOperation): string[] {
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(requestBody?.content ?? {});
  const value = Object.values(examples)[0]?.value;
  if (value === undefined) return method === "post" ? ["-X POST"] : [];
  if (type === "multipart/form-data") {
    return Object.entries(value as { [part: string]: string }).map(([part, file]) => `-F ${part}=@${file}`);
  }
  if (type !== "application/json") {
    return [`-H "Content-Type: ${type}"`, `--data-binary '${String(value).replaceAll("'", "'\\''")}'`];
  }
  const json = JSON.stringify(value, null, 2).replaceAll("\n", "\n  ").replaceAll("'", "'\\''");
  return ['-H "Content-Type: application/json"', `-d '${json}'`];
}

function quoted(text: string): string {
  return /[^\w:/.@-]/.test(text) ? `"${text}"` : text;
}
