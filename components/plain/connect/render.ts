import type { AccountPage, BridgeResult, DashboardResult } from "@/lib/connect";
import { env } from "@/lib/env";
import { goTo } from "../../session/requests";
import { type Html, html, plainPage } from "../page";
import { plainWords } from "../words";
import { CONNECT_HEADERS, confirmationPage, failurePage, redirectPage } from "./pages";

/** Turns the result of a connect request into its response. */
export function renderConnect(result: BridgeResult | DashboardResult): Response {
  switch (result.kind) {
    case "redirect":
      return withCookies(redirectPage(result.location, result.viewer, result.status), result.cookies);
    case "confirmation":
      return withCookies(confirmationPage(result.page), result.cookies);
    case "account":
      return accountPage(result.page);
    case "failure":
      return failurePage(result.page);
    case "error":
      return Response.json({ error: result.message }, { status: result.status, headers: CONNECT_HEADERS });
    case "see-other":
      return goTo(result.location);
    case "empty":
      return emptyResponse();
  }
}

/** The answer to HEAD and prefetches, which must not open a link. */
export function emptyResponse(): Response {
  return new Response(null, { status: 204, headers: CONNECT_HEADERS });
}

function withCookies(page: Response, cookies: string[]): Response {
  for (const cookie of cookies) page.headers.append("Set-Cookie", cookie);
  return page;
}

/** The account's server is unknown until a name is entered, and browsers apply the page's form-action to redirects. */
const ANYWHERE = ["https:", ...(env.isLocal ? ["http:"] : [])];

/** Asks for the account's name, for a network whose accounts live on many servers, or for an app password. */
function accountPage(page: AccountPage): Response {
  const { network, account, password, problem, typed = "" } = page;
  const title = plainWords.connectAccount.connect(network);
  const name = (of: string) =>
    field({
      id: of,
      name: "account",
      ...account,
      value: typed,
      wrong: problem?.field === of ? problem.message : undefined,
    });
  const body = html`<h1>${title}</h1>
<p class="muted">${plainWords.connectAccount.yourServer}</p>
<form method="post" action="/accounts/name">
${hidden(page)}
${name("account")}
<button class="wide">${plainWords.connectAccount.goOn(network)}</button>
</form>
${
  password &&
  html`<h2>${plainWords.connectAccount.orWith(password.label.toLowerCase())}</h2>
<p class="hint">${plainWords.connectAccount.otherServers}</p>
<form method="post" action="/accounts/password" autocomplete="off">
${hidden(page)}
${name("password")}
${field({ id: "secret", name: "password", type: "password", label: password.label, hint: password.hint })}
<button class="quiet wide">${plainWords.connectAccount.connectWith(password.label.toLowerCase())}</button>
</form>`
}
<p class="hint after"><a href="/accounts">${plainWords.connectAccount.backToAccounts}</a></p>`;
  // The forms must send their Origin, which browsers omit under no-referrer (Fetch, "append a request Origin").
  const headers = { ...CONNECT_HEADERS, "Referrer-Policy": "same-origin" };
  return plainPage({ title, body, status: problem ? 400 : 200, headers, formTargets: ANYWHERE });
}

function hidden({ platform, carried }: AccountPage): Html[] {
  const fields = Object.entries({ platform, ...carried });
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

type Field = { id: string; name: string; label: string; hint: string; type?: string; value?: string; wrong?: string };

function field({ id, name, label, hint, type = "text", value = "", wrong }: Field): Html {
  const notes = wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hint}</p>
<input id="${id}" name="${name}" type="${type}" value="${value}" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${notes}"${
    wrong && html` aria-invalid="true" autofocus`
  }>
${wrong && html`<p class="wrong" id="${id}-wrong" role="alert">${wrong}</p>`}
</div>`;
}
