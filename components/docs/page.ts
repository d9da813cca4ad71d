import { stillPolicy } from "@/lib/http/page-policy";
import { Html, html, palette } from "../plain/page";
import { uiWords } from "../ui/words";
import { styles } from "./styles";
import { docsWords } from "./words";

export type DocsLink = { href: string; label: string; within?: DocsLink[] };

type DocsPage = { title: string; here: string; contents: DocsLink[]; body: Html };

const STYLE = palette + styles;

const PLACES: DocsLink[] = [
  { href: "/docs/getting-started", label: docsWords.gettingStarted },
  { href: "/docs/csv", label: docsWords.csv },
  { href: "/docs", label: docsWords.reference },
];

/** A documentation page with a table of contents; no scripts and no external resources. */
export function docsPage({ title, here, contents, body }: DocsPage): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${uiWords.windowTitle(title, uiWords.brand)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">${docsWords.skip}</a>
<header>
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">${uiWords.brand}</a>
<nav aria-label="${docsWords.documentation}">${PLACES.map((place) => linkTo(place, here))}</nav>
</header>
<div class="columns">
<nav class="contents" aria-label="${docsWords.onThisPage}"><details open><summary>${docsWords.onThisPage}</summary>${listOf(contents)}</details></nav>
<main id="main">${body}</main>
</div>
</body>
</html>
`;
  return new Response(page.markup, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      "Content-Security-Policy": stillPolicy({ styles: [STYLE] }),
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

function linkTo({ href, label }: DocsLink, here: string): Html {
  return html`<a href="${href}"${href === here && html` aria-current="page"`}>${label}</a>`;
}

function listOf(links: DocsLink[]): Html {
  return html`<ul>${links.map(
    ({ href, label, within }) => html`<li><a href="${href}">${label}</a>${within && listOf(within)}</li>`,
  )}</ul>`;
}
