import type { NetworkFacts } from "@/lib/api";
import { type Html, html } from "../plain-page";
import { anchorOf, nameOf } from "./fields";

/** What a network takes, as one table; the numbers are those that creating a schedule is checked against. */
export function networkSection({ name, platform, settings, posts, destinations, formats }: NetworkFacts): Html {
  const rows = formats.map(
    ({ when, format, limits }) =>
      html`<tr><th scope="row">${format}${when && html` <span class="muted">(${when})</span>`}</th><td>${wordsOf(limits)}</td></tr>`,
  );
  const several =
    posts.max > 1 && `Up to ${posts.max} posts in a publication${posts.chain === "reply" ? ", as a thread" : ""}. `;
  return html`<h3 id="network-${platform}">${name}</h3>
<p>Platform <code>${platform}</code>, settings <a href="#${anchorOf(settings)}">${nameOf(settings)}</a>. ${several}${
    destinations && html`Posts go to a destination, named by <code>chatId</code>.`
  }</p>
<table><caption>What ${name} takes</caption><thead><tr><th scope="col">Format</th><th scope="col">Limits</th></tr></thead><tbody>${rows}</tbody></table>`;
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
  if (name === "maxBytes") return `at most ${Number((Number(value) / MB).toFixed(2))} MB`;
  if (name === "minBytes") return `at least ${Number(value) / 1024} KB`;
  if (name === "types") return (value as string[]).map((type) => type.split("/")[1]).join(" or ");
  if (name === "sentAs") {
    const facts = Object.entries(value as object).map(([inner, one]) => factOf(inner, one));
    return `sent as ${facts.join(", ")}`;
  }
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === true) return label;
  if (Array.isArray(value)) return `${label} ${value.join(" or ")}`;
  if (typeof value === "object" && value !== null) {
    const { min, max } = value as { min?: number; max?: number };
    const bounds = [min === undefined ? "" : `from ${min}`, max === undefined ? "" : `to ${max}`].filter(Boolean);
    return `${label} ${bounds.join(" ")}`;
  }
  return `${label} ${value}`;
}
