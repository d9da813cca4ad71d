import type { Credentials } from "@/lib/oauth";
import type { Partner } from "@/lib/partners";
import { consoleWords } from "../console/words";
import { uiWords } from "../ui/words";
import { html, plainPage } from "./page";

/** The same page whether something is missing or belongs to someone else. */
export function notFoundPage(): Response {
  const body = html`<h1>${uiWords.nothingHere}</h1>
<p class="muted">${consoleWords.notYours}</p>
<div class="row"><a class="button" href="/">${uiWords.goHome}</a></div>`;
  return plainPage({ title: uiWords.nothingHere, body, status: 404 });
}

/** Says that the person's role in this console does not cover what they asked for. */
export function notAllowedPage({ clientId }: Pick<Partner, "clientId">): Response {
  const body = html`<h1>${consoleWords.notAllowed}</h1>
<p class="muted">${consoleWords.notAllowedWhy}</p>
<div class="row"><a class="button" href="/console/${clientId}/members">${consoleWords.members.title}</a></div>`;
  return plainPage({ title: consoleWords.notAllowed, body, status: 403 });
}

/** Shows a new credential. The secret is not stored in plain text, so it is shown only once. */
export function credentialPage({ clientId, clientSecret }: Credentials, partner: string): Response {
  const body = html`<h1>${consoleWords.copySecret}</h1>
<p>${consoleWords.shownOnce(partner)}</p>
<dl class="facts"><dt>${consoleWords.clientId}</dt><dd><span class="code">${clientId}</span></dd>
<dt>${consoleWords.clientSecret}</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/console/${clientId}/credentials">${consoleWords.copied}</a></div>`;
  return plainPage({ title: consoleWords.copySecret, body });
}
