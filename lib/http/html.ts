import { stillPolicy } from "./page-policy";

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

const ERROR_STYLE = "body{font:1rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:28rem;padding:0 1rem}";

/** The page for an error that is answered without a route handler, and its headers. */
export function errorPage(title: string, text: string | Html) {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(ERROR_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": stillPolicy({ styles: [ERROR_STYLE] }),
    "cache-control": "no-store",
  };
  return { markup: page.markup, headers };
}
