import { filled, html, plainPage } from "../plain-page";
import * as words from "../words/session";
import { field, sentence } from "./pages";

type Forgot = { email?: string; wrong?: string; status?: number };

/** Asks for the address to which a link to choose a new password is sent. */
export function forgotPage({ email = "", wrong, status = 200 }: Forgot = {}): Response {
  const body = html`
<h1>${words.forgot}</h1>
<p class="muted">${words.forgotHow}</p>
<form method="post" action="/forgot-password" novalidate>
${field({
  name: "email",
  label: words.email,
  type: "email",
  autocomplete: "username",
  value: email,
  focus: true,
  wrong: wrong ? [wrong] : [],
})}
<button class="wide">${words.sendLink}</button>
</form>
<p class="muted"><a href="/sign-in">${words.backToSignIn}</a></p>`;
  return plainPage({ title: words.forgot, body, status });
}

/** The same answer for every address, whether anybody has it or not. */
export function linkSentPage(email: string): Response {
  const again = html`<a href="/forgot-password">${words.askAgain}</a>`;
  const body = html`
<h1>${words.lookIntoMail}</h1>
<p>${filled(words.linkSent, { email: html`<strong>${email}</strong>` })}</p>
<p class="muted">${filled(words.nothingCame, { again })}</p>
<p class="muted"><a href="/sign-in">${words.backToSignIn}</a></p>`;
  return plainPage({ title: words.lookIntoMail, body });
}

type Reset = { token: string; problems?: string[]; status?: number };

/** The form for a new password; the token of the mail goes with it. */
export function resetPage({ token, problems = [], status = 200 }: Reset): Response {
  const body = html`
<h1>${words.choose}</h1>
<p class="muted">${words.chooseEnds}</p>
<form method="post" action="/reset-password" novalidate>
<input type="hidden" name="token" value="${token}">
${field({
  name: "password",
  label: words.newPassword,
  type: "password",
  autocomplete: "new-password",
  hint: words.passwordHint,
  focus: true,
  wrong: problems.map(sentence),
})}
<button class="wide">${words.setPassword}</button>
</form>`;
  return plainPage({ title: words.choose, body, status });
}

/** The token is none, was used or has expired; which of these is nobody's business. */
export function resetEndedPage(): Response {
  const body = html`
<h1>${words.linkEnded}</h1>
<p>${words.linkEndedWhy}</p>
<p><a class="button" href="/forgot-password">${words.sendNewLink}</a></p>`;
  return plainPage({ title: words.linkEnded, body, status: 410 });
}
