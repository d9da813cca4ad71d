import { html, plainPage } from "../plain-page";
import { field, sentence } from "./pages";

type Forgot = { email?: string; wrong?: string; status?: number };

/** Asks for the address to which a link to choose a new password is sent. */
export function forgotPage({ email = "", wrong, status = 200 }: Forgot = {}): Response {
  const body = html`
<h1>Forgot your password?</h1>
<p class="muted">Tell us the address of your account, and we send you a link to choose a new one.</p>
<form method="post" action="/forgot-password" novalidate>
${field({
  name: "email",
  label: "E-mail",
  type: "email",
  autocomplete: "username",
  value: email,
  focus: true,
  wrong: wrong ? [wrong] : [],
})}
<button class="wide">Send the link</button>
</form>
<p class="muted"><a href="/sign-in">Back to sign-in</a></p>`;
  return plainPage({ title: "Forgot your password?", body, status });
}

/** The same answer for every address, whether anybody has it or not. */
export function linkSentPage(email: string): Response {
  const body = html`
<h1>Look into your mail</h1>
<p>If there is an account with <strong>${email}</strong>, a link to choose a new password is on its way. It works for an hour.</p>
<p class="muted">Nothing there after some minutes? Look among the unwanted mail, or <a href="/forgot-password">ask again</a>.</p>
<p class="muted"><a href="/sign-in">Back to sign-in</a></p>`;
  return plainPage({ title: "Look into your mail", body });
}

type Reset = { token: string; problems?: string[]; status?: number };

/** The form for a new password; the token of the mail goes with it. */
export function resetPage({ token, problems = [], status = 200 }: Reset): Response {
  const body = html`
<h1>Choose a new password</h1>
<p class="muted">It ends every session of your account, on all devices. Applications that you allowed keep their access.</p>
<form method="post" action="/reset-password" novalidate>
<input type="hidden" name="token" value="${token}">
${field({
  name: "password",
  label: "New password",
  type: "password",
  autocomplete: "new-password",
  hint: "At least 8 characters.",
  focus: true,
  wrong: problems.map(sentence),
})}
<button class="wide">Set the password</button>
</form>`;
  return plainPage({ title: "Choose a new password", body, status });
}

/** The token is none, was used or has expired; which of these is nobody's business. */
export function resetEndedPage(): Response {
  const body = html`
<h1>This link does not work any more</h1>
<p>A link to choose a new password works once, for an hour. Your password is as it was.</p>
<p><a class="button" href="/forgot-password">Send a new link</a></p>`;
  return plainPage({ title: "This link does not work any more", body, status: 410 });
}
