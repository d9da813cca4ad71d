import type { OpenApi } from "@/lib/api";
import { env } from "@/lib/env";
import { stillPolicy } from "@/lib/http/page-policy";
import { faces, Html, html, palettes } from "../plain/page";
import { uiWords } from "../ui/words";
import type { DocsLink } from "./parts";
import { sidebar } from "./places";
import { docsWords } from "./words";

type DocsPage = {
  document: OpenApi;
  title: string;
  /** The path of the page, if the sidebar lists it. */
  here?: string;
  /** The headings of a long page. */
  contents?: DocsLink[];
  body: Html;
  /** Shown beside the text on a wide screen and below it on others: the example of a call. */
  example?: Html;
  /** What was searched for. */
  query?: string;
  status?: number;
};

/** The styles of the documentation, on top of the plain pages' palette. The panel with the example is dark in both themes. */
const styles = `
:root{--frame:#0c3a36;--frame-ink:#f2f7f4;--frame-muted:#b9d3cb;--frame-line:#24544f;--gold:#efb73e;--on-gold:#2a1c00;--gold-soft:#fcf0d3;
--warn:#704800;--busy:#1c4a8a;--code-name:#0b5f57;--code-string:#704800;--code-word:#56378f;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;--display:Bricolage,Instrument,system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--frame:#0a1816;--frame-ink:#eef5f2;--frame-muted:#a4bab3;--frame-line:#1f3430;--gold:#f1bf57;--gold-soft:#342810;
--warn:#f4cd7c;--busy:#a6c7fb;--code-name:#8fdccd;--code-string:#f5cf85;--code-word:#e9a3c4}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:.875rem/1.6 Instrument,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.sr,.skip{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{z-index:3;left:.5rem;top:.5rem;width:auto;height:auto;clip-path:none;padding:.75rem;border-radius:.5rem;background:var(--gold);color:var(--on-gold)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.625rem 1.375rem;background:var(--frame);color:var(--frame-ink)}
header :focus-visible,.panel :focus-visible,.panel:focus-visible{outline-color:var(--gold)}
.brand{display:flex;align-items:center;gap:.5rem;min-height:2.25rem;font:700 1.2rem/1 var(--display);letter-spacing:-.02em;color:inherit;text-decoration:none}
.brand span{color:var(--frame-muted);font:500 .875rem/1 Instrument,system-ui,sans-serif;letter-spacing:0}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.25rem;padding:0 .875rem;border:0;border-radius:.625rem;background:var(--gold);color:var(--on-gold);
font:600 .875rem/1.2 Instrument,system-ui,sans-serif;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.06)}
header .to{margin-inline-start:auto}
.find{position:relative;flex:0 1 26rem;margin-inline:auto}
.find input{width:100%;height:2.25rem;padding:0 2.5rem 0 .875rem;border:1px solid var(--frame-line);border-radius:.625rem;background:none;color:inherit;font:inherit;-webkit-appearance:none;appearance:none}
.find input::placeholder{color:var(--frame-muted);opacity:1}
.find kbd{position:absolute;inset:.5rem .625rem auto auto;min-width:1.25rem;border:1px solid var(--frame-line);border-radius:.3125rem;color:var(--frame-muted);font:500 .75rem/1.5 var(--mono);text-align:center;pointer-events:none}
.find input:focus~kbd{display:none}
#found{position:absolute;z-index:2;inset:calc(100% + .375rem) 0 auto;max-width:none;max-height:60vh;margin:0;padding:.375rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface);color:var(--ink);box-shadow:0 12px 32px rgb(4 24 21/.25);overflow-y:auto;list-style:none}
#found li{display:grid;grid-template-columns:3.5rem minmax(0,1fr);align-items:baseline;padding:.5rem .625rem;border-radius:.5rem;font-size:.875rem;line-height:1.35;cursor:pointer}
#found li:not(:has(.m)){grid-template-columns:1fr}
#found code{padding:0;background:none;font-size:.75rem;color:var(--muted)}
#found .title{grid-column:2}
#found li:hover,#found [aria-selected=true]{background:var(--accent-soft)}
.parts{display:flex;gap:1rem;font-weight:500}
.parts a{padding-block:.5rem;color:var(--frame-muted);text-decoration:none}
.parts a:hover,.parts a[aria-current]{color:var(--frame-ink)}
.parts a[aria-current]{box-shadow:0 2px var(--gold)}
.menu{display:none}
[hidden]{display:none!important}
.side summary{display:flex;align-items:center;padding:.75rem .625rem .375rem;font-size:.75rem;font-weight:600;cursor:pointer;list-style:none}
.side summary::-webkit-details-marker{display:none}
.side summary::before{content:"";width:.375rem;height:.375rem;margin-inline:.125rem .5rem;border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
.side details[open]>summary::before{transform:rotate(45deg)}
.side ul{list-style:none;margin:0;padding:0}
.side a{display:grid;grid-template-columns:3.25rem minmax(0,1fr);align-items:baseline;padding:.3rem .625rem;border-radius:.5rem;color:var(--muted);font-size:.8125rem;line-height:1.35;text-decoration:none}
.side a:not(:has(.m)){grid-template-columns:1fr}
.side a code{padding:0;background:none;font-size:.75rem;line-height:1.35}
.side a .title{grid-column:2}
.side a:hover{background:var(--sunk);color:var(--ink)}
.side a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:600}
.m{font:700 .6875rem/1.35 var(--mono);color:var(--muted)}
.m.get{color:var(--busy)}.m.post{color:var(--accent)}.m.put,.m.patch{color:var(--warn)}.m.delete{color:var(--wrong)}
main{min-width:0;padding:2.125rem 2.5rem 4rem}
.noun{margin:0;color:var(--muted)}
h1{margin:0 0 .75rem;font:700 2.125rem/1.2 var(--display);letter-spacing:-.02em;text-wrap:balance}
h2{margin:2.25rem 0 .5rem;font:700 1.25rem/1.3 var(--display);letter-spacing:-.01em}
h3{margin:1.75rem 0 .375rem;font-size:.9375rem;font-weight:650}
p,ul,ol{margin:.5rem 0;max-width:64ch;font-size:.9375rem}
td p,dd p{font-size:inherit}
.muted{color:var(--muted)}
.route{display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:baseline;width:fit-content;margin:0 0 1.125rem;padding:.5rem .75rem;border-radius:.625rem;background:var(--sunk)}
.route .m{font-size:.75rem}
.route code{padding:0;background:none;font-size:.875rem}
code{font:.92em var(--mono);background:var(--sunk);padding:.1em .3em;border-radius:.3em}
pre{margin:.5rem 0;padding:.75rem 1rem;border-radius:.625rem;background:var(--sunk);overflow-x:auto;font:.8125rem/1.6 var(--mono)}
pre code{padding:0;background:none;font:inherit;overflow-wrap:normal}
table{width:100%;border-collapse:collapse}
caption{padding:.5rem 0;text-align:left;font-weight:600}
th,td{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
td:last-child{overflow-wrap:anywhere}
thead th{color:var(--muted);font-weight:550}
tbody th{font-weight:400}
td p{margin:0}
dl.fields{margin:.25rem 0}
.fields>div{padding:.75rem 0;border-bottom:1px solid var(--line)}
.fields dt{display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:baseline;color:var(--muted)}
.fields dt code:first-child{padding:0;background:none;color:var(--ink);font-weight:650}
.fields dd{margin:.25rem 0 0;color:var(--muted);max-width:64ch}
.fields dd p{margin:.125rem 0}
.fields dd code{color:var(--ink)}
.needed{padding:.0625rem .5rem;border-radius:1rem;background:var(--gold-soft);color:var(--warn);font-size:.75rem;font-weight:550}
.errors{display:grid;gap:.75rem;padding:0;list-style:none}
.errors li{display:grid;grid-template-columns:2.75rem minmax(0,1fr)}
.errors strong{font:650 .875rem/1.7 var(--mono);color:var(--wrong)}
.errors p{margin:0;font-size:.875rem;color:var(--muted)}
.errors code{font-size:.8125rem;color:var(--ink)}
.calls{padding:0;list-style:none;max-width:none}
.calls a{display:grid;grid-template-columns:4rem minmax(0,1fr);align-items:baseline;padding:.5rem 0;border-bottom:1px solid var(--line);color:inherit;text-decoration:none}
.calls a:hover{color:var(--accent)}
.calls code{padding:0;background:none;color:var(--muted)}
.calls .title{grid-column:2;font-weight:600}
.calls a:not(:has(.m)){grid-template-columns:1fr;font-weight:600}
.contents{font-size:.8125rem}
.contents p,.contents summary{font-size:inherit;font-weight:600}
.contents p{display:none;margin:0 0 .25rem}
.contents summary{padding-block:.75rem;line-height:1.25rem;cursor:pointer}
.contents details[open]{padding-bottom:.75rem}
.contents ul{list-style:none;margin:0;padding-left:.75rem;font-size:inherit}
.contents details>ul{padding:0}
.contents a{display:block;padding:.25rem 0;color:var(--muted);text-decoration:none}
.contents a:hover{color:var(--accent);text-decoration:underline}
.panel{min-width:0;padding:1.25rem;background:#0b2623;color:#e6f1ed;--code-name:#8fdccd;--code-string:#f5cf85;--code-word:#e9a3c4;--muted:#9fb8b1}
.hljs-attr,.hljs-title{color:var(--code-name)}.hljs-string{color:var(--code-string)}.hljs-keyword,.hljs-literal,.hljs-variable,.hljs-subst{color:var(--code-word)}.hljs-comment{color:var(--muted)}
.box{margin:0 0 .875rem;border:1px solid #24504a;border-radius:.875rem;overflow:hidden;background:#081d1b}
.box .head{display:flex;align-items:center;gap:.125rem;min-height:2.625rem;margin:0;padding:.375rem .75rem;border-bottom:1px solid #24504a}
.box h2{margin:0;font:600 .8125rem/1.4 Instrument,system-ui,sans-serif;letter-spacing:0}
.box .status{margin-inline-start:auto;padding:.125rem .5rem;border-radius:1rem;background:#12433a;color:#8fe3d1;font-size:.75rem;font-weight:600}
.box pre{margin:0;padding:.875rem 1rem;border-radius:0;background:none;font-size:.78125rem;line-height:1.65;max-height:34rem}
.box pre+pre{border-top:1px solid #24504a}
.box :focus-visible,.box input:focus-visible+label{outline:3px solid var(--gold);outline-offset:-3px}
.languages input{position:absolute;opacity:0}
.languages label,.box button{padding:.3125rem .6875rem;border:0;border-radius:.4375rem;background:none;color:#b4cdc6;font:550 .8125rem/1.4 Instrument,system-ui,sans-serif;cursor:pointer}
.languages label:hover,.box button:hover{color:#fff}
.languages input:checked+label,.box button:hover{background:#16423d;color:#fff}
.box button{margin-inline-start:auto}
.languages pre{display:none}
.languages:has([value=curl]:checked) .curl,.languages:has([value=node]:checked) .node,.languages:has([value=python]:checked) .python{display:block}
.languages .head{padding-inline:.5rem}
.try{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;padding:.875rem 1rem}
.box .try p{flex:1 1 12rem;padding:0}
.box p{margin:0;padding:.75rem 1rem;color:#b4cdc6;font-size:.8125rem}
@media (min-width:47.5625rem){
.page{display:grid;grid-template-columns:15.5rem minmax(0,1fr)}
.side{display:block;position:sticky;inset:0 auto auto 0;width:auto;height:100vh;height:100dvh;margin:0;padding:.75rem .75rem 2rem;border:0;border-right:1px solid var(--line);background:none;color:inherit;
overflow-y:auto;scrollbar-width:thin;grid-row:1/3}
.panel,.contents{grid-column:2;margin:0 2.5rem 1rem;border-radius:1.125rem}
.contents{margin-top:1.5rem;padding:0 1rem;border:1px solid var(--line)}
.contents details>ul{columns:11rem}
}
@media (min-width:73.8125rem){
@supports selector(::details-content){
.contents p{display:block}
.contents summary{display:none}
.contents details::details-content{content-visibility:visible}
}
.page{grid-template-columns:17rem minmax(0,1fr) minmax(23.75rem,36%)}
.page:not(:has(.panel)){grid-template-columns:17rem minmax(0,1fr) 15rem}
.side{grid-row:1}
.panel,.contents{grid-area:1/3;position:sticky;top:0;height:100vh;height:100dvh;overflow-y:auto;margin:0;border-radius:0;scrollbar-width:thin}
.contents{padding:2.125rem 1rem;border:0}
.contents details>ul{columns:auto}
main{grid-area:1/2;max-width:60rem}
}
@media (max-width:47.5rem){
header{padding:.5rem .875rem}
.parts{display:none}
.menu{display:inline-flex;order:1;min-height:2.75rem;background:none;border:1px solid var(--frame-line);color:inherit}
.button,.brand{min-height:2.75rem}
.find kbd{display:none}
.find{order:2;flex:1 1 10rem}
.find input{height:2.75rem;font-size:1rem}
.side{inset:0 auto 0 0;width:min(22rem,100vw);max-width:none;height:100vh;height:100dvh;max-height:none;margin:0;padding:.75rem;border:0;border-right:1px solid var(--line);background:var(--paper);color:inherit;overflow-y:auto}
.side::backdrop{background:rgb(4 24 21/.5)}
.side a{padding-block:.5rem}
.side summary{min-height:2.75rem;padding-block:.25rem;font-size:.875rem}
.languages label,.box button{min-height:2.75rem;padding-block:.75rem}
.shut{display:flex;width:100%;background:none;border:1px solid var(--edge);color:inherit}
main{padding:1.375rem 1rem 2rem}
h1{font-size:1.75rem}
.contents{margin:1rem 1rem 0;padding:0 1rem;border:1px solid var(--line);border-radius:.875rem}
.contents a{padding:.5rem 0}
.panel{padding:1rem}
table,tbody,tr,th,td,caption{display:block}
thead{position:absolute;left:-100vw}
th,td{padding:.25rem 0;border:0}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
}
@media (min-width:47.5625rem){.shut{display:none}}
`;

const STYLE = palettes.auto + faces + styles;

/** Lists what matches while a person types in the search, keeps the language of the examples, and copies them. */
const SCRIPT = `${env.appUrl}/docs.js`;

/** The header's links. A phone has them in its sidebar. */
const PARTS = [
  ["/docs/getting-started", docsWords.guides],
  ["/docs", docsWords.calls],
  ["/docs/changes", docsWords.changes],
] as const;

/**
 * A documentation page: the calls at the side, the text, and beside it the example or the page's headings. It works without its
 * script: the search is a form, the languages are radio buttons, and on a phone the sidebar is a popover, which the browser
 * opens and closes. There, the page's headings are behind a disclosure, so that the text comes first.
 */
export function docsPage({
  document,
  title,
  here,
  contents = [],
  body,
  example,
  query,
  status = 200,
}: DocsPage): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${uiWords.windowTitle(title, uiWords.brand)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="/fonts/instrument.woff2" as="font" type="font/woff2" crossorigin>
<style>${new Html(STYLE)}</style>
<script src="${SCRIPT}" defer></script>
</head>
<body>
<a class="skip" href="#main">${docsWords.skip}</a>
<header>
<a class="brand" href="/docs"><img src="/icon.svg" alt="" width="28" height="28">${uiWords.brand} <span>${docsWords.api}</span></a>
<form class="find" role="search" action="/docs"><label class="sr" for="find">${docsWords.search}</label><input id="find" type="search" name="q" placeholder="${docsWords.search}" value="${query ?? ""}" maxlength="100" autocomplete="off" spellcheck="false"><kbd hidden aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="${docsWords.results}" hidden></ul></form>
<nav class="parts" aria-label="${docsWords.parts}">${PARTS.map(([href, label]) => html`<a href="${href}"${href === here && html` aria-current="page"`}>${label}</a>`)}</nav>
<button type="button" class="button menu" popovertarget="calls">${docsWords.menu}</button>
<a class="button to" href="/">${docsWords.dashboard}</a>
</header>
<div class="page">
<nav class="side" id="calls" popover aria-label="${docsWords.documentation}"><button type="button" class="button shut" popovertarget="calls" popovertargetaction="hide">${docsWords.close}</button>${sidebar(document, here)}</nav>
${contents.length > 0 && html`<nav class="contents" aria-label="${docsWords.onThisPage}"><details><summary>${docsWords.onThisPage}</summary><p>${docsWords.onThisPage}</p>${listOf(contents)}</details></nav>`}
<main id="main">${body}</main>
${example && html`<aside class="panel" aria-label="${docsWords.example}">${example}</aside>`}
</div>
</body>
</html>
`;
  return new Response(page.markup, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      "Content-Security-Policy": stillPolicy({ styles: [STYLE], formTargets: [], scripts: [SCRIPT] }),
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

function listOf(links: DocsLink[]): Html {
  return html`<ul>${links.map(
    ({ href, label, within }) => html`<li><a href="${href}">${label}</a>${within && listOf(within)}</li>`,
  )}</ul>`;
}
