import { filled, html, plainPage } from "../plain-page";
import * as words from "../words/developers";

/** An application's credential, shown this once: nothing keeps the secret. */
export function secretPage(clientId: string, clientSecret: string): Response {
  const body = html`<h1>${words.copySecret}</h1>
<p>${words.secretMeans}</p>
<dl class="facts"><dt>${words.clientId}</dt><dd><span class="code">${clientId}</span></dd>
<dt>${words.clientSecret}</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/developers/applications/${clientId}">${words.copied}</a></div>`;
  return plainPage({ title: words.copySecret, body });
}

/** A personal token, shown this once. It is long, so it stands in a field that is easily selected. */
export function tokenPage(token: string): Response {
  const header = html`<span class="code">Authorization: Bearer …</span>`;
  const body = html`<h1>${words.copyToken}</h1>
<p>${words.tokenMeans}</p>
<div class="field"><label for="token">${words.token}</label><input id="token" readonly value="${token}" autocomplete="off"></div>
<p class="hint">${filled(words.sendItAs, { header })}</p>
<div class="row"><a class="button" href="/developers/tokens">${words.copied}</a></div>`;
  return plainPage({ title: words.copyToken, body });
}
