import type { OpenApiNetwork } from "@/lib/api";
import { filled, type Html, html } from "../plain/page";
import { anchorOf, shapeName } from "./fields";
import { docsWords } from "./words";

/** A table of a network's limits, the same numbers that new schedules are checked against. */
export function networkSection({ name, platform, settings, posts, destinations, formats }: OpenApiNetwork): Html {
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
