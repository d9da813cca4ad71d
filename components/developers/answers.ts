import { html, plainPage } from "../plain-page";

/** An application's credential, shown this once: nothing keeps the secret. */
export function secretPage(clientId: string, clientSecret: string): Response {
  const body = html`<h1>Copy the secret now</h1>
<p>It is shown this once. It belongs on your server only, never into a browser or an app.</p>
<dl class="facts"><dt>Client id</dt><dd><span class="code">${clientId}</span></dd>
<dt>Client secret</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/developers/applications/${clientId}">I have copied it</a></div>`;
  return plainPage({ title: "Copy the secret now", body });
}

/** A personal token, shown this once. It is long, so it stands in a field that is easily selected. */
export function tokenPage(token: string): Response {
  const body = html`<h1>Copy the token now</h1>
<p>It is shown this once. Whoever has it can do in your name what you chose; keep it as you keep a password.</p>
<div class="field"><label for="token">Token</label><input id="token" readonly value="${token}" autocomplete="off"></div>
<p class="hint">Send it as <span class="code">Authorization: Bearer …</span></p>
<div class="row"><a class="button" href="/developers/tokens">I have copied it</a></div>`;
  return plainPage({ title: "Copy the token now", body });
}
