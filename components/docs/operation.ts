import type { OpenApi, OpenApiContent, OpenApiOperation, OpenApiResponse, Parameter } from "@/lib/api";
import { effectOf } from "../developers/calls";
import { realNetworkNames } from "../networks/facts";
import { filled, type Html, html } from "../plain/page";
import { uiWords } from "../ui/words";
import { codeExamplesOf, LANGUAGES } from "./examples";
import { highlighted } from "./highlight";
import { docsPage } from "./page";
import { aboutOf, code, fieldLine, fieldList, inline, markdown, shapeName, shapeOf, typeOf } from "./parts";
import { type DocumentedCall, pageOf } from "./places";
import { docsWords } from "./words";

/** The page of one call: its parameters, body and errors, and beside them an example with its answer. */
export function callPage(document: OpenApi, call: DocumentedCall): Response {
  const { path, method, operation } = call;
  const { summary, description, tags } = operation;
  const body = html`<p class="noun">${tags[0]}</p>
<h1>${summary}</h1>
<p class="route"><span class="m ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${description !== summary && markdown(description)}
<p>${accessOf(operation)}</p>
${parameterList(document, operation, docsWords.parameters, ["path", "query"])}
${bodySection(document, operation)}
${parameterList(document, operation, docsWords.headers, ["header"])}
${answerSection(operation)}
${errorList(operation)}`;
  const example = html`${exampleBox(document, call)}${tryBox(call)}${answerBoxes(operation)}`;
  return docsPage({ document, title: summary, here: pageOf(call), body, example });
}

/** The example in each language. Radio buttons choose one, so that no script is needed; the script adds the copying. */
function exampleBox(document: OpenApi, call: DocumentedCall): Html {
  const examples = codeExamplesOf(document, call);
  const choices = LANGUAGES.map(
    (language, index) =>
      html`<input type="radio" name="language" id="in-${language}" value="${language}"${index === 0 && html` checked`}><label for="in-${language}">${docsWords.languages[language]}</label>`,
  );
  return html`<div class="box languages"><div class="head" role="radiogroup" aria-label="${docsWords.language}">${choices}<button type="button" hidden data-copied="${uiWords.copied}">${uiWords.copy}</button></div>
${LANGUAGES.map((language) => html`<pre class="${language}" tabindex="0">${highlighted(examples[language], language)}</pre>`)}</div>`;
}

/** Leads to the page on which a person makes the call with their session, and says what it does there. */
function tryBox({ method, operation }: DocumentedCall): Html {
  const { operationId, security } = operation;
  const effect = effectOf(method, operation);
  const about = effect === "publishes" ? docsWords.tryPublishing(realNetworkNames()) : docsWords.tryEffects[effect];
  const content = security.some((one) => "session" in one)
    ? html`<p>${about}</p><a class="button" href="/developers/try?call=${operationId}">${docsWords.tryThis}</a>`
    : html`<p>${security.length > 0 ? docsWords.tryAsPartner : docsWords.tryWithoutToken}</p>`;
  return html`<div class="box"><div class="head"><h2>${docsWords.tryIt}</h2></div><div class="try">${content}</div></div>`;
}

function accessOf({ security }: OpenApiOperation): Html {
  const [first] = security;
  if (!first) return html`<span class="muted">${docsWords.needsNothing}</span>`;
  const scopes = Object.values(first).flat();
  if ("partner" in first) return filled(docsWords.needs, { token: html`<strong>${docsWords.partnersToken}</strong>` });
  return filled(docsWords.needsScope, { scope: html`<code>${scopes.join(" ")}</code>` });
}

function parameterList(
  document: OpenApi,
  { parameters = [] }: OpenApiOperation,
  title: string,
  places: Parameter["in"][],
): Html | undefined {
  const all = parameters.flatMap((one) => {
    const whole = "in" in one ? one : document.components.parameters[shapeName(one.$ref)];
    return whole && places.includes(whole.in) ? [whole] : [];
  });
  if (all.length === 0) return undefined;
  const rows = all.map(({ name, in: place, required, schema, description }) => {
    const type = place === "header" ? typeOf(schema) : html`${typeOf(schema)}, ${docsWords.places[place]}`;
    return fieldLine(name, type, required, aboutOf(document, { ...schema, $ref: undefined, description }));
  });
  return html`<h2>${title}</h2><dl class="fields">${rows}</dl>`;
}

function bodySection(document: OpenApi, { requestBody }: OpenApiOperation): Html | undefined {
  if (!requestBody) return undefined;
  const types = Object.keys(requestBody.content);
  const schema = requestBody.content[types[0] ?? ""]?.schema ?? {};
  const sent = html`${types.map((type, index) => html`${index > 0 && docsWords.or}<code>${type}</code>`)}`;
  const about = schema.properties ? sent : html`${sent}, ${typeOf(schema)}`;
  const forms = schema.anyOf ?? [schema];
  const fields = forms.map((one) => {
    const whole = one.$ref ? shapeOf(document, one.$ref) : one;
    if (!whole.properties) return undefined;
    const name = forms.length > 1 && one.$ref && html`<h3>${shapeName(one.$ref)}</h3>`;
    return html`${name}${fieldList(document, whole)}`;
  });
  return html`<h2>${docsWords.body}</h2><p class="muted">${about}</p>${fields}`;
}

/** What the call answers, with the shape of each body. */
function answerSection({ responses }: OpenApiOperation): Html {
  const lines = successesOf(responses).map(([status, { description, content }]) => {
    const shape = Object.values(content ?? {})[0]?.schema;
    return html`<p><code>${status}</code> ${description}${shape && html`: ${typeOf(shape)}`}</p>`;
  });
  return html`<h2>${docsWords.answer}</h2>${lines}`;
}

function answerBoxes({ responses }: OpenApiOperation): Html[] {
  return successesOf(responses).map(
    ([status, { description, content }]) =>
      html`<div class="box"><div class="head"><h2>${docsWords.answer}</h2><span class="status">${status} ${description}</span></div>${exampleBodies(content)}</div>`,
  );
}

function successesOf(responses: OpenApiOperation["responses"]): [string, OpenApiResponse][] {
  return Object.entries(responses).filter(([status]) => Number(status) < 300);
}

function exampleBodies(content: OpenApiContent | undefined): Html[] {
  const examples = Object.values(Object.values(content ?? {})[0]?.examples ?? {});
  if (examples.length === 0) return [html`<p>${docsWords.noBody}</p>`];
  return examples.map(({ value }) =>
    typeof value === "string" ? code(value, "csv") : code(JSON.stringify(value, null, 2), "json"),
  );
}

function errorList({ responses }: OpenApiOperation): Html {
  const errors = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) => casesOf(status, answer));
  return html`<h2>${docsWords.errors}</h2><ul class="errors">${errors}</ul>`;
}

function casesOf(status: string, { description, content }: OpenApiResponse): Html[] {
  const examples = Object.values(Object.values(content ?? {})[0]?.examples ?? {});
  const line = (when: string, body: unknown) =>
    html`<li><strong>${status}</strong><div><p>${inline(when)}</p>${
      body !== undefined && html`<code>${JSON.stringify(body)}</code>`
    }</div></li>`;
  if (examples.length === 0) return [line(description, undefined)];
  return examples.map(({ summary, value }) => line(summary ?? description, value));
}
