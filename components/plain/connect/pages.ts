import { type Branding, type ConnectFailure, type Language, pageLanguages } from "@/lib/connect";
import { uiWords } from "../../ui/words";
import { type Words, wordsIn } from "../../words/connect";
import { html, type PageBrand, plainPage } from "../page";

/** Every answer of the bridge: kept nowhere, framed nowhere, and it tells the next site nothing. */
export const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Who sees a page: in which language, and in whose name. Without branding it is the service's own; `isOurs` for people of
 * the dashboard, as nothing is known of who follows a broken link.
 */
export type Viewer = { language?: Language; branding?: Branding; isOurs?: boolean };

type FailurePage = Viewer & {
  failure: ConnectFailure;
  status: number;
  /** As it reads in a sentence; absent where it is not known. */
  network?: string;
  traceCode?: string;
  restartUrl?: string;
  /** The page stands in a window that the dashboard opened. */
  isPopup?: boolean;
  /** The page is shown inside a page of ours, as a sample. */
  isFramed?: boolean;
};

/** The page for a connect that did not come about: plain words, one next step that works, a code to quote. */
export function failurePage(page: FailurePage): Response {
  const { failure, status, network, branding, isOurs, traceCode, isPopup, isFramed } = page;
  const { language, words } = spoken(page);
  const partner = branding?.name ?? (isOurs ? uiWords.brand : words.whereFrom);
  const about = { network: network ?? words.theNetwork, partner };
  const { title, says, withRestart, without } = words.failures[failure](about);
  const restartUrl = withRestart && page.restartUrl;
  const body = html`<h1>${title}</h1>
<p>${says}</p>
<p>${restartUrl ? withRestart : without}</p>
${waysOn(words, { ...page, restartUrl })}
${isPopup && html`<p class="muted">${words.closeWindow}</p>`}
${traceCode && html`<p class="hint after">${words.quoteCode(branding?.name)} <span class="code">${traceCode}</span></p>`}`;
  return plainPage({ title, body, status, headers: HEADERS, language, brand: brandOf(branding), isFramed });
}

/** The next step first; the way back beside it, or in its place where nothing can be started again. */
function waysOn(words: Words, { restartUrl, branding, isOurs, isPopup }: FailurePage) {
  const home = branding ? branding.homeUrl : isOurs && "/accounts";
  const back = branding ? words.backTo(branding.name) : words.backToAccounts;
  const quiet = restartUrl ? " quiet" : "";
  const links = [
    restartUrl && html`<a class="button" href="${restartUrl}">${words.startAgain}</a>`,
    home && !isPopup && html`<a class="button${quiet}" href="${home}">${back}</a>`,
  ].filter((link) => link instanceof Object);
  return links.length > 0 && html`<div class="row">${links}</div>`;
}

type AskPage = Viewer & {
  network: string;
  userName: string;
  /** The link's own sealed state. */
  sealed: string;
  /** What the browser's cookie has to match. */
  token: string;
};

/** Names partner and user before a connect begins; going on takes a press. */
export function askPage(page: AskPage): Response {
  const { network, userName, sealed, token, branding } = page;
  const { language, words } = spoken(page);
  const about = { network, partner: branding?.name ?? uiWords.brand };
  const { ask } = words;
  const body = html`<h1>${ask.title(about)}</h1>
<p>${ask.says(about)}</p>
<dl class="facts"><dt>${ask.partner}</dt><dd>${about.partner}</dd>
<dt>${ask.user}</dt><dd><bdi>${userName}</bdi></dd></dl>
<p>${ask.warning(about)}</p>
<form method="post" action="/oauth/connect/start?ui_locales=${language}">
<input type="hidden" name="whitelabel_state" value="${sealed}">
<input type="hidden" name="token" value="${token}">
<button class="wide">${ask.button(about)}</button>
</form>
<p class="hint after">${ask.otherwise}</p>`;
  // Networks send people on to further addresses of theirs, and to the link's end at once where they have agreed before.
  const look = { language, brand: brandOf(branding), formTargets: "anywhere" } as const;
  return plainPage({ title: ask.title(about), body, headers: HEADERS, ...look });
}

/** Beneath a redirect: for a deep link that a browser does not follow by itself, a button that a person can press. */
export function redirectPage(location: string, viewer: Viewer, status: 302 | 303 = 302): Response {
  const { language, words } = spoken(viewer);
  const { title, says, button } = words.goOn;
  const body = html`<h1>${title}</h1>
<p>${says}</p>
<div class="row"><a class="button" href="${location}">${button(viewer.branding?.name)}</a></div>`;
  const headers = { ...HEADERS, Location: location };
  return plainPage({ title, body, status, headers, language, brand: brandOf(viewer.branding) });
}

function spoken({ language = pageLanguages[0] }: Viewer) {
  return { language, words: wordsIn(language) };
}

function brandOf(branding: Branding | undefined): PageBrand | undefined {
  if (!branding) return undefined;
  const { name, logoUrl, accent } = branding;
  return { name, logoUrl, accent };
}
