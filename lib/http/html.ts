/** Text that is already HTML. Only `html` creates it, so all other text on a page or in a mail is escaped. */
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

/** Escapes text for use between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function markupOf(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (Array.isArray(part)) return part.map(markupOf).join("");
  return part instanceof Html ? part.markup : escapeHtml(String(part));
}

/** A template tag. Values are escaped unless they are `Html`; null, undefined and `false` become the empty string. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((all, text, index) => all + markupOf(parts[index - 1]) + text));
}
