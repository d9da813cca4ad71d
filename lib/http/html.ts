/** Text that is already markup. Only `html` makes one, so whatever else reaches a page or a mail is escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = Html | string | number | false | null | undefined | Part[];

const ENTITIES: { [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes text safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function markupOf(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (Array.isArray(part)) return part.map(markupOf).join("");
  return part instanceof Html ? part.markup : escapeHtml(String(part));
}

/** A template whose values are escaped unless they are `Html`; absent values and `false` leave nothing behind. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((all, text, index) => all + markupOf(parts[index - 1]) + text));
}
