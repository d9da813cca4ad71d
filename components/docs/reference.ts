import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenApi, OpenApiNetwork, OpenApiSchema } from "@/lib/api";
import { env } from "@/lib/env";
import { filled, type Html, html } from "../plain/page";
import { postmanCollection } from "./examples";
import { callPage } from "./operation";
import { docsPage } from "./page";
import { aboutOf, anchorOf, code, contentsOf, fieldList, inline, markdown, shapeName, slug, typeOf } from "./parts";
import { type DocsEntry, docsEntryOf, documentedCalls, findPlaces, lineOf, pageOf } from "./places";
import { docsWords, guides } from "./words";

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

/** Returns the page with this name below `/docs`. An unknown name is a 404. */
export async function pageNamed(document: OpenApi, name: string): Promise<Response> {
  const guide = Object.hasOwn(guides, name) ? guides[name] : undefined;
  if (guide) return writtenPage(document, name, guide);
  if (name === "networks") return networksPage(document);
  if (name === "webhook-events") return webhooksPage(document);
  if (name === "shapes") return shapesPage(document);
  if (name === "postman.json") return Response.json(postmanCollection(document));
  if (name === "llms.txt") return new Response(textForModels(document), { headers: TEXT });
  const call = documentedCalls(document).find(({ operation }) => operation.operationId === name);
  if (call) return callPage(document, call);
  const body = html`<h1>${docsWords.noPage}</h1><p>${docsWords.noPageAbout}</p>`;
  return docsPage({ document, title: docsWords.noPage, body, status: 404 });
}

const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

/**
 * What `/llms.txt` answers: a list of the guides and calls for language models, in Markdown. Source: llmstxt.org, format.
 * The addresses are whole, because a model reads the text apart from where it was.
 */
function textForModels(document: OpenApi): string {
  const link = (name: string, path: string, about?: string) =>
    `- [${name}](${env.appUrl}${path})${about ? `: ${about}` : ""}`;
  const groups = document.tags.map(({ name, description }) => {
    const calls = documentedCalls(document).filter(({ operation }) => operation.tags[0] === name);
    const lines = calls.map((call) =>
      link(`${call.method.toUpperCase()} ${call.path}`, pageOf(call), call.operation.summary),
    );
    return `## ${name}\n\n${description}\n\n${lines.join("\n")}`;
  });
  const guideLines = Object.entries(guides).map(([name, label]) => link(label, `/docs/${name}`));
  const first = [
    link(docsWords.openApi, "/v1/openapi.json", docsWords.openApiAbout),
    link(docsWords.postman, "/docs/postman.json", docsWords.postmanAbout),
    link(docsWords.networks, "/docs/networks", docsWords.networksAbout),
    link(docsWords.webhooks, "/docs/webhook-events", docsWords.webhooksForModels),
    link(docsWords.shapes, "/docs/shapes", docsWords.shapesForModels),
    ...guideLines,
  ];
  return `# ${document.info.title}\n\n> ${docsWords.forModels}\n\n## ${docsWords.start}\n\n${first.join("\n")}\n\n${groups.join("\n\n")}\n`;
}

/** The origin used in the texts; the page replaces it by this service's own. */
const WRITTEN_FOR = "http://localhost:3000";

/** Renders a file of `docs/`. @param name the file name without its extension */
async function writtenPage(document: OpenApi, name: string, title: string): Promise<Response> {
  const written = await readFile(join(process.cwd(), "docs", `${name}.md`), "utf8");
  const text = written.replaceAll(WRITTEN_FOR, env.baseUrl);
  return docsPage({ document, title, here: `/docs/${name}`, contents: contentsOf(text), body: markdown(text) });
}

/** What applies to all calls, and a list of them. With a query, the pages, calls and shapes that match it. */
export function overviewPage(document: OpenApi, query: string): Response {
  if (query.trim() !== "") return resultsPage(document, query.trim());
  const calls = documentedCalls(document);
  const contents = [
    ...contentsOf(document.info.description),
    ...document.tags.map(({ name }) => ({ href: `#${nounAnchor(name)}`, label: name })),
  ];
  const body = html`<h1>${docsWords.reference}</h1>
${markdown(document.info.description)}
<p>${filled(docsWords.forPrograms, {
    openApi: html`<a href="/v1/openapi.json">${docsWords.openApi}</a>`,
    postman: html`<a href="/docs/postman.json">${docsWords.postman}</a>`,
    models: html`<a href="/llms.txt">llms.txt</a>`,
  })}</p>
${document.tags.map(
  ({ name, description }) =>
    html`<h2 id="${nounAnchor(name)}">${name}</h2>${markdown(description)}${linesOf(
      calls.filter(({ operation }) => operation.tags[0] === name).map(docsEntryOf),
    )}`,
)}`;
  return docsPage({ document, title: docsWords.reference, here: "/docs", contents, body });
}

function resultsPage(document: OpenApi, query: string): Response {
  const found = findPlaces(document, query);
  const body = html`<h1>${docsWords.results}</h1><p>${docsWords.resultsFor(found.length, query)}</p>${linesOf(found)}`;
  return docsPage({ document, title: docsWords.results, query, body });
}

function linesOf(places: DocsEntry[]): Html {
  return html`<ul class="calls">${places.map((place) => html`<li><a href="${place.href}">${lineOf(place)}</a></li>`)}</ul>`;
}

function webhooksPage(document: OpenApi): Response {
  const title = docsWords.webhooks;
  const body = html`<h1>${title}</h1>${webhookTable(document)}`;
  return docsPage({ document, title, here: "/docs/webhook-events", body });
}

function networksPage(document: OpenApi): Response {
  const networks = document["x-networks"];
  const title = docsWords.networks;
  const contents = networks.map(({ platform, name }) => ({ href: `#network-${platform}`, label: name }));
  const body = html`<h1>${title}</h1><p>${docsWords.networksAbout}</p>${networks.map(networkSection)}`;
  return docsPage({ document, title, here: "/docs/networks", contents, body });
}

function shapesPage(document: OpenApi): Response {
  const shapes = Object.entries(document.components.schemas);
  const title = docsWords.shapes;
  const contents = shapes.map(([name]) => ({ href: `#${anchorOf(name)}`, label: name }));
  const body = html`<h1>${title}</h1>${shapes.map(([name, schema]) => shapeSection(document, name, schema))}`;
  return docsPage({ document, title, here: "/docs/shapes", contents, body });
}

/** A prefix avoids clashes with the headings of the overview. */
function nounAnchor(name: string): string {
  return `noun-${slug(name)}`;
}

function shapeSection(document: OpenApi, name: string, schema: OpenApiSchema): Html {
  const title = html`<h2 id="${anchorOf(name)}">${name}</h2>`;
  if (!schema.properties) {
    const gaps = { types: typeOf(schema), field: html`<code>type</code>` };
    const choice = schema.oneOf && html`<p>${filled(docsWords.oneOf, gaps)}</p>`;
    return html`${title}${aboutOf(document, schema)}${choice}`;
  }
  const about = schema.description && aboutOf(document, { description: schema.description });
  return html`${title}${about}${fieldList(document, schema)}`;
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
      settings: html`<a href="/docs/shapes#${anchorOf(settings)}">${shapeName(settings)}</a>`,
    }),
    posts.max > 1 && html` ${several(posts.max)}`,
    destinations && html` ${filled(docsWords.destination, { field: html`<code>chatId</code>` })}`,
  ];
  return html`<h2 id="network-${platform}">${name}</h2>
<p>${about}</p>
<table><caption>${docsWords.takes(name)}</caption><thead><tr><th scope="col">${docsWords.format}</th><th scope="col">${docsWords.limits}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Limits as `image: 5 MB at most, JPEG, PNG`, each with a link to its source if it has one. */
function wordsOf(limits: object): Html[] {
  return Object.entries(limits).map(([of, limit]) => {
    if (of === "source") return html`<p>${sourceLink(limit)}</p>`;
    if (typeof limit !== "object") return html`<p>${factOf(of, limit)}</p>`;
    const { source, ...rest } = limit as { source?: string };
    const facts = Object.entries(rest).map(([name, value]) => factOf(name, value));
    return html`<p><strong>${of}</strong>: ${facts.join(", ")}${source && html`, ${sourceLink(source)}`}</p>`;
  });
}

function sourceLink(source: string): Html {
  return html`<a href="${source}">${docsWords.source}</a>`;
}

const KILO = 1_024;
const MB = KILO * KILO;

function factOf(name: string, value: unknown): string {
  if (name === "maxBytes") {
    const size = Number((Number(value) / MB).toFixed(2));
    return size < KILO ? docsWords.atMostMb(inWords(size)) : docsWords.atMostGb(inWords(size / KILO));
  }
  if (name === "minBytes") return docsWords.atLeastKb(Number(value) / KILO);
  if (name === "types") return (value as string[]).map((type) => type.split("/")[1]).join(docsWords.or);
  if (name === "sentAs") {
    const facts = Object.entries(value as object).map(([inner, one]) => factOf(inner, one));
    return docsWords.sentAs(facts.join(", "));
  }
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === true) return label;
  const readable = docsWords.readable[name];
  if (readable) return readable(typeof value === "number" ? inWords(value) : String(value));
  if (Array.isArray(value)) return `${label} ${value.join(docsWords.or)}`;
  if (typeof value === "object" && value !== null) {
    return `${label} ${boundsOf(value)}`;
  }
  return `${label} ${typeof value === "number" ? inWords(value) : value}`;
}

function boundsOf({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return docsWords.fromTo(inWords(min), inWords(max));
  if (max !== undefined) return docsWords.to(inWords(max));
  return min === undefined ? "" : docsWords.from(inWords(min));
}

/** `300 million`, `20,000`, `1.91` */
function inWords(value: number): string {
  const million = 1_000_000;
  if (value >= million && value % million === 0) return docsWords.million(value / million);
  return value.toLocaleString("en-GB", { maximumFractionDigits: 4 });
}
