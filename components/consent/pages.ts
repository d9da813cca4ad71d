import type { AuthorizationRequest, Scope } from "@/lib/oauth";
import type { User } from "@/lib/users";
import { html, plainPage } from "../plain-page";
import { formTargetOf } from "../session/requests";

/** Every answer of this address: kept nowhere, framed nowhere, alone in its window, and it tells the next site nothing. */
export const HEADERS = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** What each scope lets an application do, as one would tell a friend. */
const SENTENCES: { [S in Scope]: string } = {
  "accounts.read": "See which accounts you have connected, and the channels, Pages and boards they can post to.",
  "media.write": "Upload pictures and videos for you.",
  "posts.read": "Read your scheduled and published posts.",
  "posts.write": "Publish, schedule, change and delete posts in your name.",
  "webhooks.write": "Set up notifications about your posts and accounts to other services.",
  api: "Do everything you can do here: read, publish and delete posts, upload media, and disconnect your accounts.",
};

type Consent = { request: AuthorizationRequest; scopes: Scope[]; user: User; csrf: string };

/** Asks whether an application may do what it asks for. */
export function consentPage({ request, scopes, user, csrf }: Consent): Response {
  const { name } = request.application;
  const body = html`
<h1>${name} wants to use your Carillon account</h1>
<p class="muted">You are signed in as <strong>${user.email}</strong>.</p>
<h2>${name} will be able to</h2>
<ul>${scopes.map((scope) => html`<li>${SENTENCES[scope]}</li>`)}</ul>
<p class="muted">It never sees your password. After your choice you go to <strong>${hostOf(request.redirectUri)}</strong>.</p>
<form method="post" action="/authorize">
<input type="hidden" name="request" value="${request.query}">
<input type="hidden" name="csrf" value="${csrf}">
<div class="row">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</div>
</form>`;
  const formTargets = [formTargetOf(request.redirectUri)];
  return plainPage({ title: `Allow ${name}?`, body, headers: HEADERS, formTargets });
}

/** Why nothing can be allowed here. Not sent on: where to would be what is wrong. */
export function refusalPage(message: string, status: number, title = "This link does not work"): Response {
  const body = html`<h1>${title}</h1>
<p>${message}.</p>
<p class="muted">Nothing was allowed. Go back to the application that sent you here; if it happens again, tell its makers.</p>`;
  return plainPage({ title, body, status, headers: HEADERS });
}

function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol.slice(0, -1);
}
