import type { ApplicationScope, AuthorizationRequest, Registrar } from "@/lib/oauth";
import type { User } from "@/lib/users";
import { formTargetOf } from "../session/requests";
import { filled, html, plainPage } from "./page";
import { plainWords } from "./words";

/** Headers of every response: not stored, isolated from other windows, and no referrer for the next site. */
export const CONSENT_HEADERS = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

type Consent = {
  request: AuthorizationRequest;
  registrar: Registrar;
  scopes: ApplicationScope[];
  user: User;
  csrf: string;
};

/** Asks whether an application may have the requested scopes. */
export function consentPage({ request, registrar, scopes, user, csrf }: Consent): Response {
  const { name } = request.application;
  const body = html`
<h1>${plainWords.consent.wants(name)}</h1>
<p class="muted">${filled(plainWords.consent.signedInAs, { email: html`<strong>${user.email}</strong>` })}</p>
<div class="notice"><p>${filled(plainWords.consent.registeredBy, { who: html`<strong>${whoRegistered(registrar)}</strong>` })}</p></div>
<h2>${plainWords.consent.able(name)}</h2>
<ul>${scopes.map((scope) => html`<li>${plainWords.consent.scopes[scope]}</li>`)}</ul>
<p class="muted">${filled(plainWords.consent.takeBack, { place: html`<strong>${plainWords.consent.takeBackPlace}</strong>` })}</p>
<p class="muted">${filled(plainWords.consent.afterwards, { host: html`<strong>${hostOf(request.redirectUri)}</strong>` })}</p>
<form method="post" action="/authorize">
<input type="hidden" name="request" value="${request.query}">
<input type="hidden" name="csrf" value="${csrf}">
<div class="row">
<button name="decision" value="allow">${plainWords.consent.allow}</button>
<button class="quiet" name="decision" value="deny">${plainWords.consent.deny}</button>
</div>
</form>`;
  const formTargets = [formTargetOf(request.redirectUri)];
  return plainPage({ title: plainWords.consent.question(name), body, headers: CONSENT_HEADERS, formTargets });
}

/** Names whoever registered an application. */
export function whoRegistered(registrar: Registrar): string {
  if (registrar === "operator") return plainWords.consent.operator;
  const { name, email } = registrar;
  return email ? plainWords.consent.user(name, email) : plainWords.consent.unconfirmedUser(name);
}

/** Explains why nothing can be allowed. It is shown here because the redirect URI is not trusted. */
export function refusalPage(message: string, status: number, title: string = plainWords.consent.noLink): Response {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
<p class="muted">${plainWords.consent.nothingAllowed}</p>`;
  return plainPage({ title, body, status, headers: CONSENT_HEADERS });
}

function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol.slice(0, -1);
}
