import { filled, html, plainPage } from "../plain/page";
import { developerWords } from "./words";

/** An application's credential, shown this once: nothing keeps the secret. */
export function secretPage(clientId: string, clientSecret: string): Response {
  const body = html`<h1>${developerWords.copySecret}</h1>
<p>${developerWords.secretMeans}</p>
<dl class="facts"><dt>${developerWords.clientId}</dt><dd><span class="code">${clientId}</span></dd>
<dt>${developerWords.clientSecret}</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/developers/applications/${clientId}">${developerWords.copied}</a></div>`;
  return plainPage({ title: developerWords.copySecret, body });
}

/** A personal token, shown this once. It is long, so it stands in a field that is easily selected. */
export function tokenPage(token: string): Response {
  const header = html`<span class="code">Authorization: Bearer …</span>`;
  const body = html`<h1>${developerWords.copyToken}</h1>
<p>${developerWords.tokenMeans}</p>
<div class="field"><label for="token">${developerWords.token}</label><input id="token" readonly value="${token}" autocomplete="off"></div>
<p class="hint">${filled(developerWords.sendItAs, { header })}</p>
<div class="row"><a class="button" href="/developers/tokens">${developerWords.copied}</a></div>`;
  return plainPage({ title: developerWords.copyToken, body });
}
