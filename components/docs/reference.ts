import type { OpenApi, OpenApiNetwork, OpenApiOperation, Schema } from "@/lib/api";
import { filled, type Html, html } from "../plain/page";
import { aboutOf, anchorOf, fieldTable, shapeName, typeOf } from "./fields";
import { code, contentsOf, inline, markdown, slug } from "./markdown";
import { operationSection } from "./operation";
import { type DocsLink, docsPage } from "./page";
import { docsWords } from "./words";

const verifying = code(
  `import { Webhook } from "standardwebhooks";
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers); // throws if the signature is invalid
if (seen.has(request.headers["webhook-id"])) return; // the same event may come twice`,
  "js",
);

/** The events with the shape of their `data`. */
function webhookTable({ webhooks }: OpenApi): Html {
  const rows = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post.requestBody.content["application/json"]?.schema ?? {};
    return html`<tr><th scope="row"><code>${type}</code></th><td>${inline(post.summary)}</td><td>${typeOf(schema)}</td></tr>`;
  });
  return html`${markdown(docsWords.webhooksAbout)}${verifying}
<table><caption>${docsWords.events}</caption><thead><tr><th scope="col">${docsWords.type}</th><th scope="col">${docsWords.whatHappened}</th><th scope="col">${docsWords.body}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

type Call = { path: string; method: string; operation: OpenApiOperation };

/** The API reference, generated from the OpenAPI document. */
export function referencePage(document: OpenApi): Response {
  const nouns = document.tags.map((tag) => ({ ...tag, calls: callsOf(document, tag.name) }));
  const networks = document["x-networks"];
  const contents: DocsLink[] = [
    ...contentsOf(document.info.description),
    ...nouns.map(({ name, calls }) => ({
      href: `#${nounAnchor(name)}`,
      label: name,
      within: calls.map(({ operation }) => ({ href: `#${operation.operationId}`, label: operation.summary })),
    })),
    { href: "#webhook-events", label: docsWords.webhooks },
    { href: "#networks", label: docsWords.networks },
    { href: "#shapes", label: docsWords.shapes },
  ];
  const body = html`<h1>${docsWords.reference}</h1>
${markdown(document.info.description)}
<p>${filled(docsWords.forPrograms, { link: html`<a href="/v1/openapi.json">${docsWords.openApi}</a>` })}</p>
${nouns.map(
  ({ name, description, calls }) =>
    html`<h2 id="${nounAnchor(name)}">${name}</h2>${markdown(description)}${calls.map((call) => operationSection(document, call))}`,
)}
<h2 id="webhook-events">${docsWords.webhooks}</h2>
${webhookTable(document)}
<h2 id="networks">${docsWords.networks}</h2>
<p>${docsWords.networksAbout}</p>
${networks.map(networkSection)}
<h2 id="shapes">${docsWords.shapes}</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => shapeSection(document, name, schema))}`;
  return docsPage({ title: docsWords.reference, here: "/docs", contents, body });
}

/** A prefix avoids clashes with the headings of the overview. */
function nounAnchor(name: string): string {
  return `noun-${slug(name)}`;
}

function callsOf({ paths }: OpenApi, tag: string): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

function shapeSection(document: OpenApi, name: string, schema: Schema): Html {
  const title = html`<h3 id="${anchorOf(name)}">${name}</h3>`;
  if (!schema.properties) {
    const gaps = { types: typeOf(schema), field: html`<code>type</code>` };
    const choice = schema.oneOf && html`<p>${filled(docsWords.oneOf, gaps)}</p>`;
    return html`${title}${aboutOf(document, schema)}${choice}`;
  }
  const about = schema.description && aboutOf(document, { description: schema.description });
  return html`${title}${about}${fieldTable(document, name, schema)}`;
}

/** A table of a network's limits, the same numbers that new schedules are checked against. */
function networkSection({ name, platform, settings, posts, destinations, formats }: OpenApiNetwork): Html {
  const rows = formats.map(
    ({ when, format, limits }) =>
      html`<tr><th scope="row">${format}${when && html` <span class="muted">(${when})</span>`}</th><td>${wordsOf(limits)}</td></tr>`,
  );
  const several = posts.chain === "reply" ? docsWords.severalAsThread : docsWords.several;
  const about = [
    filled(docsWords.platform, {
      platform: html`<code>${platform}</code>`,
      settings: html`<a href="#${anchorOf(settings)}">${shapeName(settings)}</a>`,
    }),
    posts.max > 1 && html` ${several(posts.max)}`,
    destinations && html` ${filled(docsWords.destination, { field: html`<code>chatId</code>` })}`,
  ];
  return html`<h3 id="network-${platform}">${name}</h3>
<p>${about}</p>
<table><caption>${docsWords.takes(name)}</caption><thead><tr><th scope="col">${docsWords.format}</th><th scope="col">${docsWords.limits}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Limits as `image: 5 MB at most, JPEG, PNG`. */
function wordsOf(limits: object): Html[] {
  return Object.entries(limits).map(([of, limit]) => {
    const facts = Object.entries(limit as object).map(([name, value]) => factOf(name, value));
    return html`<p><strong>${of}</strong>: ${facts.join(", ")}</p>`;
  });
}

const MB = 1_048_576;

function factOf(name: string, value: unknown): string {
  if (name === "maxBytes") return docsWords.atMostMb(Number((Number(value) / MB).toFixed(2)));
  if (name === "minBytes") return docsWords.atLeastKb(Number(value) / 1024);
  if (name === "types") return (value as string[]).map((type) => type.split("/")[1]).join(docsWords.or);
  if (name === "sentAs") {
    const facts = Object.entries(value as object).map(([inner, one]) => factOf(inner, one));
    return docsWords.sentAs(facts.join(", "));
  }
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === true) return label;
  if (Array.isArray(value)) return `${label} ${value.join(docsWords.or)}`;
  if (typeof value === "object" && value !== null) {
    return `${label} ${boundsOf(value)}`;
  }
  return `${label} ${value}`;
}

function boundsOf({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return docsWords.fromTo(min, max);
  if (max !== undefined) return docsWords.to(max);
  return min === undefined ? "" : docsWords.from(min);
}
