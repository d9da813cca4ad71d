import type { ConfirmationPage, ConnectViewer, FailurePage } from "@/lib/connect";
import { type Branding, pageLanguages } from "@/lib/partners";
import type { Platform } from "@/lib/platforms";
import { uiWords } from "../../ui/words";
import { html, networkMark, type PageBrand, plainPage } from "../page";
import { type ConnectWords, connectWordsIn } from "./words";

/** Headers of every response of the bridge: not stored, and no referrer for the next site. */
export const CONNECT_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/**
 * The page of a failed connect: what happened, one next step, and a code to quote.
 * @param isFramed the page is shown as a sample inside a page of the console
 */
export function failurePage(page: FailurePage, isFramed = false): Response {
  const { failure, status, network, branding, isOurs, traceCode, isPopup, otherAccount: other } = page;
  const { language, words } = wordsFor(page);
  const partner = branding?.name ?? (isOurs ? uiWords.brand : words.whereFrom);
  const about = { network: network ?? words.theNetwork, partner, other };
  const { title, explanation, withRestart, without } = words.failures[failure](about);
  const restartUrl = withRestart && page.restartUrl;
  const body = html`${tile(page.platform)}<h1>${title}</h1>
<p>${explanation}</p>
${missingList(words, page)}
<p>${restartUrl ? withRestart : without}</p>
${nextSteps(words, { ...page, restartUrl })}
${isPopup && html`<p class="muted">${words.closeWindow}</p>`}
${traceCode && html`<p class="hint after">${words.quoteCode(branding?.name)} <span class="code">${traceCode}</span></p>`}`;
  return plainPage({ title, body, status, headers: CONNECT_HEADERS, language, brand: brandOf(branding), isFramed });
}

/** What the person did not allow: in plain words, and as the network names it. */
function missingList(words: ConnectWords, { missing = [] }: FailurePage) {
  const items = missing.map(
    ({ scope, purpose }) => html`<li><strong>${words.purposes[purpose]}</strong><span>${scope}</span></li>`,
  );
  return (
    items.length > 0 &&
    html`<p>${words.missing(items.length)}</p>
<ul class="promises">${items}</ul>`
  );
}

/** The network's mark above the heading. */
function tile(platform: Platform | undefined) {
  return platform && html`<div class="tile">${networkMark(platform)}</div>`;
}

/**
 * The button to start again, if possible (or the two choices after another account was chosen), and the way back: to a
 * partner's redirectUri, so that its own flow can finish.
 */
function nextSteps(words: ConnectWords, page: FailurePage) {
  const { restartUrl, returnUrl, branding, isOurs, isPopup, otherAccount: other } = page;
  const home = branding ? (returnUrl ?? branding.homeUrl) : isOurs && "/accounts";
  const back = branding ? words.backTo(branding.name) : words.backToAccounts;
  const quiet = restartUrl ? " quiet" : "";
  const links = [
    restartUrl &&
      html`<a class="button" href="${restartUrl}">${other ? words.reconnect(other.wanted) : words.startAgain}</a>`,
    restartUrl && other?.addUrl && html`<a class="button quiet" href="${other.addUrl}">${words.add(other.found)}</a>`,
    home && !isPopup && html`<a class="button${quiet}" href="${home}">${back}</a>`,
  ].filter((link) => link instanceof Object);
  return links.length > 0 && html`<div class="row">${links}</div>`;
}

/** Names the partner and the user before a connect starts. It continues when the person presses the button. */
export function confirmationPage(page: ConfirmationPage): Response {
  const { network, platform, userName, returnUrl, sealed, token, branding } = page;
  const { language, words } = wordsFor(page);
  const about = { network, partner: branding?.name ?? uiWords.brand };
  const { confirmation } = words;
  const promises = confirmation
    .promises(about)
    .map(([promise, how]) => html`<li><strong>${promise}</strong><span>${how}</span></li>`);
  const body = html`${tile(platform)}<h1>${confirmation.title(about)}</h1>
<p>${confirmation.explanation(about)}</p>
<ul class="promises">${promises}</ul>
<dl class="facts"><dt>${confirmation.partner}</dt><dd>${about.partner}</dd>
<dt>${confirmation.user}</dt><dd><bdi>${userName}</bdi></dd></dl>
<p>${confirmation.warning(about)}</p>
<form method="post" action="/oauth/connect/start?ui_locales=${language}">
<input type="hidden" name="whitelabel_state" value="${sealed}">
<input type="hidden" name="token" value="${token}">
<button class="wide">${confirmation.button(about)}</button>
</form>
<p class="hint after">${confirmation.otherwise}</p>
${branding && html`<div class="row"><a class="button quiet" href="${returnUrl}">${words.backTo(branding.name)}</a></div>`}`;
  // A network may redirect to its other addresses, or straight back to the link's redirectUri.
  const look = { language, brand: brandOf(branding), formTargets: "anywhere" } as const;
  return plainPage({ title: confirmation.title(about), body, headers: CONNECT_HEADERS, ...look });
}

/** A redirect whose body has a button, for browsers that do not follow a redirect to a deep link. */
export function redirectPage(location: string, viewer: ConnectViewer, status: 302 | 303 = 302): Response {
  const { language, words } = wordsFor(viewer);
  const { title, explanation, button } = words.redirect;
  const body = html`<h1>${title}</h1>
<p>${explanation}</p>
<div class="row"><a class="button" href="${location}">${button(viewer.branding?.name)}</a></div>`;
  const headers = { ...CONNECT_HEADERS, Location: location };
  return plainPage({ title, body, status, headers, language, brand: brandOf(viewer.branding) });
}

function wordsFor({ language = pageLanguages[0] }: ConnectViewer) {
  return { language, words: connectWordsIn(language) };
}

function brandOf(branding: Branding | undefined): PageBrand | undefined {
  if (!branding) return undefined;
  const { name, logoUrl, accent } = branding;
  return { name, logoUrl, accent };
}
