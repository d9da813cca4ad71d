import { stillPolicy } from "@/lib/http/page-policy";
import { Html, html, palette } from "../plain/page";
import { uiWords } from "../ui/words";
import { docsWords } from "./words";

export type DocsLink = { href: string; label: string; within?: DocsLink[] };

type DocsPage = { title: string; here: string; contents: DocsLink[]; body: Html };

/** The styles of the documentation, on top of the plain pages' palette. */
const styles = `
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-100vw;padding:.75rem;background:var(--surface)}
.skip:focus{left:.5rem;top:.5rem}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.5rem;max-width:76rem;margin:0 auto;padding:1rem}
header nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
header nav a{display:inline-block;padding:.5rem 0;color:var(--muted);text-decoration:none}
header nav a:hover{color:var(--ink)}
header nav a[aria-current]{color:var(--accent);font-weight:600}
.brand{display:inline-flex;align-items:center;gap:.625rem;font-weight:650;font-size:1.125rem;color:inherit;text-decoration:none}
.columns{max-width:76rem;margin:0 auto;padding:0 1rem 6rem}
main{min-width:0}
.contents{margin-bottom:1.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface);font-size:.9375rem}
.contents summary{cursor:pointer;font-weight:600}
.contents ul{list-style:none;margin:.25rem 0;padding-left:.75rem}
.contents>details>ul{padding-left:0}
.contents a{display:block;padding:.25rem 0;color:inherit;text-decoration:none}
.contents a:hover{color:var(--accent);text-decoration:underline}
@media (min-width:60rem){
.columns{display:grid;grid-template-columns:16rem minmax(0,1fr);gap:2.5rem;align-items:start}
.contents{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto;border:0;background:none;padding:0}
}
h1{margin:.5rem 0 1rem;font-size:1.75rem;line-height:1.25;letter-spacing:-.015em}
h2{margin:3rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.375rem;line-height:1.3}
h3{margin:2rem 0 .5rem;font-size:1.125rem}
h4{margin:1.25rem 0 .5rem;font-size:1rem}
p,ul,ol{margin:.5rem 0;max-width:46rem}
.muted{color:var(--muted)}
.operation{margin:1.25rem 0 2rem;padding:1rem;border:1px solid var(--line);border-radius:1rem;background:var(--surface)}
.operation h3{margin-top:0}
.route{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline;margin:0 0 .75rem}
.method{padding:.1rem .5rem;border-radius:.375rem;background:var(--accent-soft);color:var(--accent);font-weight:650;font-size:.875rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--sunk);padding:.1em .3em;border-radius:.3em}
pre{margin:.5rem 0;padding:.75rem 1rem;border-radius:.625rem;background:var(--sunk);overflow-x:auto;max-height:32rem;font-size:.9375rem;line-height:1.5}
pre code{padding:0;background:none;overflow-wrap:normal}
.scroll{overflow-x:auto;margin:.5rem 0}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
caption{padding:.5rem 0;text-align:left;font-weight:600}
th,td{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
td:last-child{overflow-wrap:anywhere}
thead th{color:var(--muted);font-weight:550}
tbody th{font-weight:400}
td p{margin:0}
.needed{color:var(--warn);font-size:.875rem}
details.part{margin:.5rem 0}
details.part>summary{cursor:pointer;padding:.375rem 0;font-weight:600}
@media (max-width:40rem){
table,tbody,tr,th,td,caption{display:block}
thead{position:absolute;left:-100vw}
th,td{padding:.25rem 0;border:0}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
}
`;

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
