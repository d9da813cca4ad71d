import { Marked } from "marked";
import type { OpenApi, OpenApiSchema } from "@/lib/api";
import { filled, Html, html } from "../plain/page";
import { highlighted } from "./highlight";
import { docsWords } from "./words";

/** A heading of a page, with those below it. */
export type DocsLink = { href: string; label: string; within?: DocsLink[] };

/** Renders our own Markdown. Headings get IDs; code blocks and tables can be scrolled by keyboard. */
export function markdown(text: string): Html {
  return new Html(parser().parse(text, { async: false }));
}

/** Renders one line without a paragraph around it. */
export function inline(text: string): Html {
  return new Html(parser().parseInline(text, { async: false }));
}

/** The table of contents: second-level headings with their third-level headings. */
export function contentsOf(text: string): DocsLink[] {
  const links: DocsLink[] = [];
  for (const token of parser().lexer(text)) {
    if (token.type !== "heading") continue;
    const link = { href: `#${slug(token.text)}`, label: plain(token.text) };
    const last = links.at(-1);
    if (token.depth === 2) links.push(link);
    if (token.depth === 3 && last) last.within = [...(last.within ?? []), link];
  }
  return links;
}

/** The anchor of a heading. */
export function slug(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\w]+/g, "-")
    .replace(/^-|-$/g, "");
}

function plain(text: string): string {
  return text.replace(/[`*_]/g, "");
}

function parser(): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }) {
        return code(text, lang).markup;
      },
    },
  });
}

/** A code block that can be scrolled by keyboard, with syntax colours. */
export function code(text: string, info = "text"): Html {
  const language = info.replace(/\W.*/, "");
  return html`<pre tabindex="0"><code class="language-${language}">${highlighted(text, language)}</code></pre>
`;
}

/** The fields of a schema, each with its type and meaning; named shapes are linked. */
export function fieldList(document: OpenApi, { properties = {}, required = [] }: OpenApiSchema): Html {
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) =>
    fieldLine(name, typeOf(field), required.includes(name), aboutOf(document, field)),
  )}</dl>`;
}

/** One line of a list of fields or parameters. */
export function fieldLine(name: string, type: Html, isRequired: boolean, about: Html): Html {
  return html`<div><dt><code>${name}</code><span>${type}</span>${isRequired && html`<span class="needed">${docsWords.required}</span>`}</dt><dd>${about}</dd></div>`;
}

/** Describes a type in words: `array of Post`, `string or null`. */
export function typeOf(schema: OpenApiSchema): Html {
  const { $ref, type, items, format, anyOf, oneOf, const: only } = schema;
  if ($ref) return html`<a href="/docs/shapes#${anchorOf($ref)}">${shapeName($ref)}</a>`;
  if (items) return filled(docsWords.arrayOf, { type: typeOf(items) });
  const choices = anyOf ?? oneOf;
  if (choices) return html`${choices.map((one, index) => html`${index > 0 && docsWords.or}${typeOf(one)}`)}`;
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  return html`${[type ?? "any"].flat().join(docsWords.or)}${format && html` <span class="muted">(${format})</span>`}`;
}

/** Returns a field's description, values and limits. */
export function aboutOf(document: OpenApi, schema: OpenApiSchema): Html {
  const description = schema.description ?? (schema.$ref ? shapeOf(document, schema.$ref).description : undefined);
  const values = schema.enum?.map((value, index) => html`${index > 0 && ", "}<code>${String(value)}</code>`);
  const bounds = boundsOf(schema);
  return html`${description && html`<p>${inline(description)}</p>`}${values && html`<p>${values}</p>`}${
    bounds.length > 0 && html`<p class="muted">${bounds.join("; ")}</p>`
  }`;
}

function boundsOf(schema: OpenApiSchema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, default: usual } = schema;
  const [length, size] = [range(minLength, maxLength), range(minItems, maxItems)];
  return [
    length && docsWords.characters(length),
    size && docsWords.entries(size),
    range(minimum, maximum),
    usual === undefined ? "" : docsWords.usually(JSON.stringify(usual)),
  ].filter(Boolean);
}

function range(min: number | undefined, max: number | undefined): string {
  const number = (value: number) => value.toLocaleString("en-GB");
  if (min !== undefined && max !== undefined) return docsWords.between(number(min), number(max));
  if (max !== undefined) return docsWords.atMost(number(max));
  return min === undefined ? "" : docsWords.atLeast(number(min));
}

export function shapeOf(document: OpenApi, $ref: string): OpenApiSchema {
  return document.components.schemas[shapeName($ref)] ?? {};
}

export function shapeName($ref: string): string {
  return $ref.split("/").at(-1) ?? "";
}

/** The anchor of a named shape. */
export function anchorOf($ref: string): string {
  return `shape-${shapeName($ref)}`;
}
