import { connectWordsIn } from "@/components/plain/connect/words";
import type { Refusal } from "@/lib/api";
import type { EmbeddedAttempt, EmbeddedSession } from "@/lib/connect";
import { env } from "@/lib/env";
import { Html, html } from "@/lib/http/html";
import { stillPolicy } from "@/lib/http/page-policy";
import type { PageLanguage } from "@/lib/partners";
import { platforms } from "@/lib/platforms";
import { eventTypes } from "@/lib/webhooks";
import { uiWords } from "../../ui/words";
import { faces, palettes } from "../page";
import { CONNECT_HEADERS } from "./pages";
import type { ConnectWords } from "./words/types";

const scriptAt = (name: string) => `${env.appUrl}/frames/${name}.js`;
/** What both lists share. Without the facts of a list, it closes the window. */
const FRAME_SCRIPT = scriptAt("frame");

/**
 * The list of accounts or webhooks that a partner's page shows in a frame. Only pages of the session's origins can show it. It
 * contains nothing of the user: the script reads that with a token that the page passes to it.
 * @param refusal if there were too many requests: the page says so, and loads itself again
 */
export function embeddedPage(session: EmbeddedSession, language: PageLanguage, refusal?: Refusal): Response {
  const { id, shows, origins, hasEnded, appearance } = session;
  const { ended, failed, ...lists } = connectWordsIn(language).embedded;
  const words = { ended, failed, ...lists[shows] };
  const content = shows === "webhooks" ? { eventTypes } : { marks: platforms };
  const { afterSeconds } = refusal ?? {};
  const theme = appearance.theme ?? "auto";
  const facts = JSON.stringify({ id, origins, hasEnded, afterSeconds, words, theme, ...content });
  const style = styleOf(session);
  const script = scriptAt(shows);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>${new Html(style)}</style>
<script src="${script}" type="module"></script>
</head>
<body>
<main data-frame="${facts}">
<h1>${words.title}</h1>
${refusal ? html`<p class="notice wrong" role="status">${refusal.message}</p>` : html`<p class="notice" role="status" hidden></p>`}
<div class="lists" hidden>
<p class="none" hidden>${words.none}</p>
${shows === "webhooks" ? webhookLists(lists.webhooks) : accountLists(lists.accounts)}
</div>
</main>
</body>
</html>
`;
  const policy = { styles: [style], scripts: [script, FRAME_SCRIPT], framedBy: origins, hasAvatars: true };
  return documentOf(page, policy, refusal ? 429 : 200);
}

const accountLists = ({ add }: ConnectWords["embedded"]["accounts"]) => html`<ul class="accounts"></ul>
<h2>${add}</h2>
<ul class="networks"></ul>`;

const webhookLists = (words: ConnectWords["embedded"]["webhooks"]) => html`<ul class="webhooks"></ul>
<form novalidate>
<h2>${words.add}</h2>
<label>${words.address} <input name="url" type="url" autocomplete="off" placeholder="https://example.com/carillon"></label>
<details><summary></summary><fieldset><legend>${words.events}</legend></fieldset></details>
<p class="buttons"><button type="submit">${words.addIt}</button><button type="button" class="quiet" hidden>${words.cancel}</button></p>
</form>`;

/** Where a window of the frame ends. The script closes it. */
export function embeddedEndPage(language: PageLanguage): Response {
  const { title, closeWindow } = connectWordsIn(language).embedded.end;
  const style = `${palettes.auto}${faces}${layout}body{padding:2rem}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${uiWords.windowTitle(title, uiWords.brand)}</title>
<style>${new Html(style)}</style>
<script src="${FRAME_SCRIPT}" type="module"></script>
</head>
<body><main><h1>${title}</h1><p>${closeWindow}</p></main></body>
</html>
`;
  return documentOf(page, { styles: [style], scripts: [FRAME_SCRIPT] });
}

/** How a window of the frame ended without an account, with the code to quote; undefined while it has not. */
export function attemptText({ outcome, code, network }: EmbeddedAttempt, language: PageLanguage): string | undefined {
  if (outcome === "not opened" || outcome === "under way" || outcome === "connected") return undefined;
  const words = connectWordsIn(language);
  const about = { network: network ?? words.theNetwork, partner: words.whereFrom };
  const { title } = words.failures[outcome === "abandoned" ? "expired" : outcome](about);
  return code ? `${title} (${code})` : title;
}

type Policy = Pick<Parameters<typeof stillPolicy>[0], "styles" | "scripts" | "framedBy" | "hasAvatars">;

function documentOf(page: Html, policy: Policy, status = 200): Response {
  return new Response(page.markup, {
    status,
    headers: {
      ...CONNECT_HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": stillPolicy(policy),
    },
  });
}

/** The numbers and colours of the appearance were checked when the session was created. */
function styleOf({ appearance, branding }: EmbeddedSession): string {
  const { theme = "auto", cornerRadius = 10, font = "carillon", background = "page" } = appearance;
  const of = (shown: "light" | "dark") => {
    const colours = branding?.accent?.[shown];
    return colours ? `:root{--accent:${colours.accent};--on-accent:${colours.onAccent}}` : "";
  };
  const accents = theme === "auto" ? `${of("light")}@media (prefers-color-scheme:dark){${of("dark")}}` : of(theme);
  return [
    palettes[theme],
    accents,
    font === "carillon" ? faces : "",
    layout,
    `:root{--radius:${Number(cornerRadius)}px}`,
    background === "transparent" ? "body{background:transparent}" : "",
    font === "system" ? "body{font-family:system-ui,sans-serif}" : "",
  ].join("");
}

const layout = `
*{box-sizing:border-box}
body{margin:0;accent-color:var(--accent);background:var(--paper);color:var(--ink);font:1rem/1.5 Instrument,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{padding:.25rem;overflow-wrap:anywhere}
h1,h2{margin:0 0 .625rem;font-size:1rem;font-weight:600}
h2{margin-top:1.25rem}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}
.networks{grid-template-columns:repeat(auto-fill,minmax(min(100%,9.5rem),1fr))}
li{display:flex;align-items:center;gap:.75rem}
.accounts li{padding:.625rem .75rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
.who{flex:1;min-width:0}
.who strong{display:block}
.who span,.none{color:var(--muted);font-size:.875rem}
.who .wrong{color:var(--wrong)}
.face{position:relative;flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;background:var(--sunk)}
.face img{width:100%;height:100%;border-radius:50%;object-fit:cover}
.face img+.mark{position:absolute;right:-.25rem;bottom:-.25rem;padding:.125rem;border-radius:50%;background:var(--surface)}
.mark{flex:none;width:1.25rem;height:1.25rem}
button{display:flex;align-items:center;justify-content:center;gap:.625rem;min-height:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;cursor:pointer;
color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:var(--radius)}
.networks button{width:100%;justify-content:start;color:var(--ink);background:var(--surface);border-color:var(--edge);text-align:start}
button:hover{filter:brightness(1.05)}
button.quiet,.webhooks button{color:var(--ink);background:var(--surface);border-color:var(--edge)}
.webhooks button.wrong,.deliveries .wrong{color:var(--wrong)}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem;margin:.625rem 0 0}
.webhooks>li{display:block;padding:.75rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
.webhooks .who strong{font-weight:600}
.secret{margin:.625rem 0 0;padding:.625rem .75rem;background:var(--accent-soft);border-radius:var(--radius)}
.secret code,.deliveries code,pre{font:.875rem/1.5 ui-monospace,monospace}
.secret p{margin:0}
.secret .buttons{margin-top:.625rem}
.deliveries{margin-top:.75rem;padding-top:.75rem;border-top:1px solid var(--line)}
.deliveries li{display:block}
pre{margin:.375rem 0;padding:.625rem;white-space:pre-wrap;background:var(--sunk);border-radius:var(--radius)}
form{margin-top:1.25rem}
form label{display:block}
input[type=url]{display:block;width:100%;min-height:2.75rem;margin-top:.25rem;padding:.5rem .75rem;font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--edge);border-radius:var(--radius)}
input[aria-invalid=true]{border-color:var(--wrong)}
fieldset{margin:.5rem 0 0;padding:0;border:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr))}
legend{padding:0;font-weight:600}
fieldset label{display:flex;align-items:center;gap:.5rem;min-height:2.75rem;font:.875rem/1.5 ui-monospace,monospace}
summary{min-height:2.75rem;padding:.625rem 0;cursor:pointer}
.none{margin:0 0 .625rem}
.notice{margin:0 0 1rem;padding:.625rem .875rem;background:var(--accent-soft);border-radius:var(--radius)}
.notice.wrong{color:var(--wrong);background:var(--wrong-soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[hidden]{display:none!important}
@media (max-width:26rem){.accounts li{flex-wrap:wrap}.accounts button{width:100%}}
`;
