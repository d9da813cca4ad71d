import type { NetworkFacts } from "@/lib/api";
import { filled, type Html, html } from "../plain-page";
import * as words from "../words/docs";
import { anchorOf, nameOf } from "./fields";

/** What a network takes, as one table; the numbers are those that creating a schedule is checked against. */
export function networkSection({ name, platform, settings, posts, destinations, formats }: NetworkFacts): Html {
  const rows = formats.map(
    ({ when, format, limits }) =>
      html`<tr><th scope="row">${format}${when && html` <span class="muted">(${when})</span>`}</th><td>${wordsOf(limits)}</td></tr>`,
  );
  const several = posts.chain === "reply" ? words.severalAsThread : words.several;
  const about = [
    filled(words.platform, {
      platform: html`<code>${platform}</code>`,
      settings: html`<a href="#${anchorOf(settings)}">${nameOf(settings)}</a>`,
    }),
    posts.max > 1 && html` ${several(posts.max)}`,
    destinations && html` ${filled(words.destination, { field: html`<code>chatId</code>` })}`,
  ];
  return html`<h3 id="network-${platform}">${name}</h3>
<p>${about}</p>
<table><caption>${words.takes(name)}</caption><thead><tr><th scope="col">${words.format}</th><th scope="col">${words.limits}</th></tr></thead><tbody>${rows}</tbody></table>`;
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
  if (name === "maxBytes") return words.atMostMb(Number((Number(value) / MB).toFixed(2)));
  if (name === "minBytes") return words.atLeastKb(Number(value) / 1024);
  if (name === "types") return (value as string[]).map((type) => type.split("/")[1]).join(words.or);
  if (name === "sentAs") {
    const facts = Object.entries(value as object).map(([inner, one]) => factOf(inner, one));
    return words.sentAs(facts.join(", "));
  }
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === true) return label;
  if (Array.isArray(value)) return `${label} ${value.join(words.or)}`;
  if (typeof value === "object" && value !== null) {
    return `${label} ${boundsOf(value)}`;
  }
  return `${label} ${value}`;
}

function boundsOf({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return words.fromTo(min, max);
  if (max !== undefined) return words.to(max);
  return min === undefined ? "" : words.from(min);
}
