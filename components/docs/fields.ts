import type { OpenApi, Schema } from "@/lib/api";
import { filled, type Html, html } from "../plain/page";
import { inline } from "./markdown";
import { docsWords } from "./words";

/** A table of a schema's fields; named shapes are linked. */
export function fieldTable(document: OpenApi, caption: string, schema: Schema): Html {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr><th scope="row"><code>${name}</code>${required.includes(name) && html` <span class="needed">${docsWords.required}</span>`}</th>
<td>${typeOf(field)}</td><td>${aboutOf(document, field)}</td></tr>`,
  );
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">${docsWords.field}</th><th scope="col">${docsWords.type}</th>
<th scope="col">${docsWords.meaning}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Describes a type in words: `array of Post`, `string or null`. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, items, format, anyOf, oneOf, const: only } = schema;
  if ($ref) return html`<a href="#${anchorOf($ref)}">${shapeName($ref)}</a>`;
  if (items) return filled(docsWords.arrayOf, { type: typeOf(items) });
  const choices = anyOf ?? oneOf;
  if (choices) return html`${choices.map((one, index) => html`${index > 0 && docsWords.or}${typeOf(one)}`)}`;
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  return html`${[type ?? "any"].flat().join(docsWords.or)}${format && html` <span class="muted">(${format})</span>`}`;
}

/** Returns a field's description, values and limits. */
export function aboutOf(document: OpenApi, schema: Schema): Html {
  const description = schema.description ?? (schema.$ref ? shapeOf(document, schema.$ref).description : undefined);
  const values = schema.enum?.map((value, index) => html`${index > 0 && ", "}<code>${String(value)}</code>`);
  const bounds = boundsOf(schema);
  return html`${description && html`<p>${inline(description)}</p>`}${values && html`<p>${values}</p>`}${
    bounds.length > 0 && html`<p class="muted">${bounds.join("; ")}</p>`
  }`;
}

function boundsOf(schema: Schema): string[] {
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

export function shapeOf(document: OpenApi, $ref: string): Schema {
  return document.components.schemas[shapeName($ref)] ?? {};
}

export function shapeName($ref: string): string {
  return $ref.split("/").at(-1) ?? "";
}

/** The anchor of a named shape. */
export function anchorOf($ref: string): string {
  return `shape-${shapeName($ref)}`;
}
