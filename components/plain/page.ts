import { Html, html } from "@/lib/http/html";
import { stillPolicy } from "@/lib/http/page-policy";
import { type Platform, platforms, platformValues } from "@/lib/platforms";
import type { Gaps } from "../ui/sentence";
import { uiWords } from "../ui/words";

/** Keeps pages behind secret links out of search engines and their addresses out of referrers. */
export const UNLISTED = { "X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer" };

export { Html, html } from "@/lib/http/html";

/**
 * Pages without any script: sign-in, consent and the connect bridge. Forms are answered by route handlers, so these
 * pages work in every browser and open at once. Only the pages that use a passkey load a script. Colours are those of app/globals.css.
 */

/** The brand of a page, if it is not our own. */
export type PageBrand = {
  name: string;
  /** A path on this site: pages load nothing from other sites. */
  logoUrl?: string;
  accent?: { [theme in "light" | "dark"]: { accent: string; onAccent: string } };
};

export type PlainPage = {
  title: string;
  /** BCP 47; English by default. */
  language?: string;
  brand?: PageBrand;
  /** The content of the card, including the heading (`<h1>`). */
  body: Html;
  /** Shows the bell tower beside the content, as on the pages to sign in and up. */
  isWelcome?: boolean;
  status?: number;
  headers?: { [name: string]: string };
  /**
   * Origins or schemes, other than our own, to which a form on this page may lead. Browsers apply form-action to redirects too,
   * so the page must name them. `anywhere` if they are unknown.
   */
  formTargets?: string[] | "anywhere";
  /** The page is shown in a frame of one of our own pages. */
  isFramed?: boolean;
  /** The URL of the one script file that the page loads. Only passkeys need one. */
  script?: string;
};

/** A complete response: one centred card in the system's light or dark theme, not cached and, unless `isFramed`, not framed. */
export function plainPage(given: PlainPage): Response {
  const {
    title,
    body,
    language = "en",
    brand,
    status = 200,
    headers = {},
    formTargets = [],
    isFramed,
    script,
    isWelcome = false,
  } = given;
  const icon = brand ? brand.logoUrl : "/icon.svg";
  const style = `${styles}${brand?.accent ? accentStyle(brand.accent) : ""}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${uiWords.windowTitle(title, brand?.name ?? uiWords.brand)}</title>
${icon && html`<link rel="icon" href="${icon}">`}
<link rel="preload" href="/fonts/instrument.woff2" as="font" type="font/woff2" crossorigin>
<style>${new Html(style)}</style>
${script && html`<script src="${script}" defer></script>`}
</head>
<body${isWelcome && html` class="welcome"`}>
<header>${brand ? partnersHead(brand) : ownHead}</header>
<main>${body}</main>
${isWelcome && tower}
</body>
</html>
`;
  return new Response(page.markup, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": stillPolicy({
        styles: [style],
        formTargets,
        isFramed,
        scripts: script ? [script] : undefined,
      }),
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}

/** Fills the gaps of a text, such as `{link}`, with markup from `parts`. */
export function filled<Text extends string>(text: Text, parts: { [gap in Gaps<Text>]: Html | string }): Html {
  const fillings: { [gap: string]: Html | string } = parts;
  return html`${text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : fillings[piece]))}`;
}

const ownHead = html`<a class="brand" href="/"><img src="/icon.svg" alt="" width="32" height="32">${uiWords.brand}</a>`;

/** Hidden on narrow screens. */
const tower = html`<aside aria-label="${uiWords.brand}"><img src="/tower.svg" alt="">
<div><p>${uiWords.claim}</p>${platformValues.map(networkMark)}</div></aside>`;

/** The mark of a network in the colour of the text around it. The page names the network too. */
export function networkMark(platform: Platform): Html {
  return html`<svg class="mark" aria-hidden="true"><use href="/networks.svg#${platforms[platform]}"></use></svg>`;
}

/** A logo has a light background, so that a dark logo is visible on a dark page. */
function partnersHead({ name, logoUrl }: PageBrand): Html {
  if (!logoUrl) return html`<p class="brand">${name}</p>`;
  return html`<p class="brand"><img class="logo" src="${logoUrl}" alt="${name}"></p>`;
}

/** @throws Error if a colour is not `#rrggbb`, because it is inserted into the page's style unescaped */
function accentStyle({ light, dark }: NonNullable<PageBrand["accent"]>): string {
  const of = ({ accent, onAccent }: { accent: string; onAccent: string }) => {
    if (![accent, onAccent].every((colour) => /^#[0-9a-f]{6}$/i.test(colour))) throw new Error("this is not a colour");
    return `--accent:${accent};--on-accent:${onAccent}`;
  };
  return `:root{${of(light)}}@media (prefers-color-scheme:dark){:root{${of(dark)}}}`;
}

const LIGHT = `--paper:#fffefb;--surface:#fff;--sunk:#f5f4ee;--line:#e1dfd4;--edge:#85887d;--ink:#17211e;
--muted:#505b56;--accent:#0b5f57;--on-accent:#fff;--accent-soft:#dcefe9;--wrong:#98190f;--wrong-soft:#fdebe7`;
const DARK = `--paper:#121c1a;--surface:#192624;--sunk:#0f1816;--line:#2a3936;--edge:#75857f;
--ink:#edf3f0;--muted:#b0bdb8;--accent:#62cdbb;--on-accent:#05211d;--accent-soft:#14362f;--wrong:#ffb4ab;--wrong-soft:#3b1c18`;

/** The colours of app/globals.css: as the browser prefers, or of one theme. */
export const palettes = {
  auto: `:root{color-scheme:light dark;${LIGHT}}\n@media (prefers-color-scheme:dark){:root{${DARK}}}`,
  light: `:root{color-scheme:light;${LIGHT}}`,
  dark: `:root{color-scheme:dark;${DARK}}`,
};

/** The two faces of the dashboard. Text in other scripts uses the system's face. */
export const faces = `
@font-face{font-family:Instrument;src:url(/fonts/instrument.woff2) format("woff2");font-weight:400 700;font-display:optional}
@font-face{font-family:Bricolage;src:url(/fonts/bricolage.woff2) format("woff2");font-weight:700;font-display:optional}`;

/**
 * What a page can use: `.field` (label, `.hint`, input, `.wrong`), `button`, `button.quiet`, `button.link`, `.row` of buttons,
 * `.notice` and `.notice.wrong`, `dl.facts`, `ul.promises`, `.tile` with a mark, `.or`, `.muted`, `.code`.
 */
const styles = `
${palettes.auto}${faces}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-rows:auto 1fr;grid-template-columns:minmax(0,1fr);
background:var(--sunk);color:var(--ink);font:1rem/1.5 Instrument,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
font-variant-numeric:tabular-nums}
header{padding:1.5rem 1.25rem}
p.brand{margin:0}
.logo{display:block;height:3rem;max-width:100%;object-fit:contain;background:#fff;color:#000;padding:.375rem .625rem;border-radius:.625rem}
.brand{display:inline-flex;align-items:center;gap:.625rem;font:700 1.25rem/1.2 Bricolage,Instrument,system-ui,sans-serif;letter-spacing:-.02em;color:inherit;text-decoration:none}
main{align-self:center;justify-self:center;width:calc(100% - 2rem);max-width:27rem;background:var(--surface);border:1px solid var(--line);border-radius:1.125rem;padding:1.75rem;
margin:0 0 2rem;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font:700 1.625rem/1.2 Bricolage,Instrument,system-ui,sans-serif;letter-spacing:-.02em;text-wrap:balance}
h2{margin:1.5rem 0 .5rem;font-size:1rem}
p{margin:.5rem 0}
ul,ol{margin:.5rem 0;padding-left:1.25rem}
a{color:var(--accent);text-underline-offset:.15em}
.muted,.hint{color:var(--muted)}
.hint{margin:0 0 .375rem;font-size:.875rem}
.hint.after{margin:1.25rem 0 0}
main>.row{margin-top:1.25rem}
main>.row>*{flex-basis:auto}
form{margin:1.25rem 0 0}
.field{margin:0 0 1.125rem}
p+.field{margin-top:1rem}
label,legend{display:block;font-weight:600;margin-bottom:.25rem}
.beside .link{margin-block:0}
.beside{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem}
fieldset{border:0;margin:0 0 1.125rem;padding:0}
input:not([type=radio]):not([type=checkbox]),select{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;
background:var(--surface);border:1px solid var(--edge);border-radius:.625rem}
input[aria-invalid=true]{border-color:var(--wrong)}
.wrong{color:var(--wrong)}
.field .wrong{margin:.375rem 0 0;font-size:.875rem}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-align:center;
text-decoration:none;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.625rem;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
button:disabled{opacity:.6;filter:none;cursor:default}
button.quiet,.button.quiet{color:var(--ink);background:transparent;border-color:var(--edge)}
button.link{color:var(--accent);background:none;border-color:transparent;padding-inline:.5rem;margin:.25rem -.5rem 0;font-weight:400;text-decoration:underline;text-underline-offset:.15em}
button.wide,.button.wide{width:100%}
.row{display:flex;flex-wrap:wrap;gap:.75rem}
.row>*{flex:1 1 9rem}
p:has(>.wide){margin-top:1.25rem}
.or{display:flex;align-items:center;gap:.75rem;margin:1rem 0 0;color:var(--muted);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.notice{margin:1rem 0;padding:.75rem 1rem;border-radius:.625rem;background:var(--accent-soft)}
.notice.wrong{background:var(--wrong-soft);color:var(--wrong)}
.notice p{margin:0}
.notice p+p{margin-top:.5rem}
.notice.wrong a{color:inherit}
.mark{display:inline-block;width:1.5rem;height:1.5rem}
.tile{display:grid;place-items:center;width:3rem;height:3rem;margin:0 0 1rem;background:var(--sunk);border:1px solid var(--line);border-radius:.875rem}
.promises{display:grid;gap:.625rem;margin:1rem 0;padding:0;list-style:none}
.promises li{display:grid}
.promises span{color:var(--muted);font-size:.875rem}
dl.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.375rem 1rem;margin:1rem 0}
dl.facts dt{color:var(--muted);overflow-wrap:normal}
dl.facts dd{margin:0}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em;background:var(--sunk);
padding:.1em .35em;border-radius:.3em;white-space:nowrap}
dd .code,.code.secret{white-space:normal}
.codes{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.375rem 1rem;padding:0;list-style:none}
.qr{display:block;width:100%;max-width:14rem;margin:1rem auto;border-radius:.625rem}
aside{display:none}
.welcome{background:var(--paper)}
.welcome main{max-width:23.25rem;padding:0;background:none;border:0;border-radius:0}
.welcome h1{font-size:2.125rem}
@media (min-width:861px){
header{padding-inline:2.5rem}
.welcome{grid-template-columns:minmax(0,1fr) minmax(0,46%)}
.welcome aside{display:block;grid-area:1/2/-1/3;position:sticky;top:.625rem;height:calc(100vh - 1.25rem);margin:.625rem .625rem .625rem 0;border-radius:1.125rem;overflow:hidden;background:#0a2f2c;color:#fff}
aside img{width:100%;height:100%;object-fit:cover}
aside div{position:absolute;inset:auto 0 0;padding:5.625rem 2.25rem 2rem;background:linear-gradient(transparent,rgb(4 24 21/.92) 55%)}
aside p{margin:0 0 .875rem;font:700 1.625rem/1.2 Bricolage,Instrument,system-ui,sans-serif;letter-spacing:-.02em;white-space:pre-line}
aside .mark{width:1.25rem;height:1.25rem;margin-right:.75rem}
}
`;
