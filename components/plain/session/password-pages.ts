import { filled, html, plainPage } from "../page";
import { field, sentence } from "./pages";
import { sessionWords } from "./words";

type Forgot = { email?: string; wrong?: string; status?: number };

/** Asks for the e-mail address to which a password reset link is sent. */
export function forgotPage({ email = "", wrong, status = 200 }: Forgot = {}): Response {
  const body = html`
<h1>${sessionWords.forgot}</h1>
<p class="muted">${sessionWords.forgotHow}</p>
<form method="post" action="/forgot-password" novalidate>
${field({
  name: "email",
  label: sessionWords.email,
  type: "email",
  autocomplete: "username",
  value: email,
  focus: true,
  wrong: wrong ? [wrong] : [],
})}
<button class="wide">${sessionWords.sendLink}</button>
</form>
<p class="muted"><a href="/sign-in">${sessionWords.backToSignIn}</a></p>`;
  return plainPage({ title: sessionWords.forgot, body, status });
}

/** The same answer for every address, whether it is registered or not. */
export function linkSentPage(email: string): Response {
  const again = html`<a href="/forgot-password">${sessionWords.askAgain}</a>`;
  const body = html`
<h1>${sessionWords.lookIntoMail}</h1>
<p>${filled(sessionWords.linkSent, { email: html`<strong>${email}</strong>` })}</p>
<p class="muted">${filled(sessionWords.nothingCame, { again })}</p>
<p class="muted"><a href="/sign-in">${sessionWords.backToSignIn}</a></p>`;
  return plainPage({ title: sessionWords.lookIntoMail, body });
}

type Reset = { token: string; problems?: string[]; status?: number };

/** The form for a new password, with the token from the mail. */
export function resetPage({ token, problems = [], status = 200 }: Reset): Response {
  const body = html`
<h1>${sessionWords.choose}</h1>
<p class="muted">${sessionWords.chooseEnds}</p>
<form method="post" action="/reset-password" novalidate>
<input type="hidden" name="token" value="${token}">
${field({
  name: "password",
  label: sessionWords.newPassword,
  type: "password",
  autocomplete: "new-password",
  hint: sessionWords.passwordHint,
  focus: true,
  wrong: problems.map(sentence),
})}
<button class="wide">${sessionWords.setPassword}</button>
</form>`;
  return plainPage({ title: sessionWords.choose, body, status });
}

/** The same page whether the token is unknown, used or expired. */
export function resetEndedPage(): Response {
  const body = html`
<h1>${sessionWords.linkEnded}</h1>
<p>${sessionWords.linkEndedWhy}</p>
<p><a class="button" href="/forgot-password">${sessionWords.sendNewLink}</a></p>`;
  return plainPage({ title: sessionWords.linkEnded, body, status: 410 });
}
