import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const CSS = `
:root { color-scheme: light dark; --ink: light-dark(#1b1d22, #eceef2); --soft: light-dark(#5d6470, #a2a9b6);
  --paper: light-dark(#f4f3ef, #14161a); --card: light-dark(#fff, #1e2127); --line: light-dark(#dcdad3, #343943); --brand: #6b4ce6; }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 1.25rem 1rem 4rem }
main.narrow { max-width: 26rem; padding-top: 8vh }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; text-wrap: balance } h2 { font-size: 1.1rem; margin: 2rem 0 .75rem }
p { margin: 0 0 1rem } .soft { color: var(--soft); font-size: .875rem } a { color: inherit }
.tape { background: repeating-linear-gradient(-45deg, #f5c542 0 14px, #2a2a2a 14px 28px); height: 8px }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem; margin: 0 0 .9rem }
.card:target { outline: 3px solid var(--brand) }
.by { display: flex; gap: .65rem; align-items: center; margin-bottom: .6rem } .by img { width: 40px; height: 40px; border-radius: 50% }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .6rem }
.media { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 6px }
.media img, .media video { width: 100%; height: 11rem; object-fit: cover; border-radius: 8px; background: var(--line) }
.foot { overflow-wrap: anywhere } nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin: .75rem 0 }
fieldset { border: 0; padding: 0; margin: 1rem 0 } legend { font-weight: 600; padding: 0; margin-bottom: .4rem }
label.pick { display: flex; gap: .7rem; align-items: center; min-height: 44px; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 10px; margin-bottom: .4rem; cursor: pointer }
label.pick:has(:checked) { border-color: var(--brand); background: color-mix(in srgb, var(--brand) 10%, transparent) }
label.pick img { width: 30px; height: 30px; border-radius: 50% } input { accent-color: var(--brand) }
input[type=text] { width: 100%; font: inherit; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: inherit }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; margin-top: 1.2rem }
button { font: inherit; font-weight: 600; min-height: 46px; border-radius: 10px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer }
button[value=allow], button[value=start] { background: var(--brand); border-color: var(--brand); color: #fff }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px }
ul.asks { padding-left: 1.2rem; margin: 0 } code { overflow-wrap: anywhere }
`;

/** The HTML of a sandbox page. The striped bar marks it as a simulation; it needs no script. */
export function page(title: string, body: Html, kind = ""): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(CSS)}</style></head>
<body><div class="tape" aria-hidden="true"></div><main class="${kind}">${body}</main></body></html>`;
}

/** Security headers of every page: no caching, framing, type sniffing or referrer. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'",
};
