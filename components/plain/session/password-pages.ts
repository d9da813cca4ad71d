import { hasPasskeys } from "@/lib/users";
import { filled, html, plainPage } from "../page";
import { factorWords } from "./factor-words";
import { field, passwordInput, pathWith, retryAfter, sentence, showButton, type Typed } from "./pages";
import { sessionWords } from "./words";

type Forgot = { email?: string; wrong?: string; status?: number; retryAfterSeconds?: number };

/** Asks for the email address to which a password reset link is sent. */
export function forgotPage({ email = "", wrong, status = 200, retryAfterSeconds }: Forgot = {}): Response {
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
  return plainPage({ title: sessionWords.forgot, body, status, headers: retryAfter(retryAfterSeconds) });
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

function newPasswordField(typed: Typed | undefined, more: { focus?: boolean; wrong: string[] }) {
  return field({
    name: "password",
    label: sessionWords.newPassword,
    autocomplete: "new-password",
    hint: sessionWords.passwordHint,
    ...passwordInput(typed, "password"),
    ...more,
  });
}

type Reset = { token: string; typed?: Typed; problems?: string[]; status?: number };

/** The form for a new password, with the token from the mail. */
export function resetPage({ token, typed, problems = [], status = 200 }: Reset): Response {
  const body = html`
<h1>${sessionWords.choose}</h1>
<p class="muted">${sessionWords.chooseEnds}</p>
<form method="post" action="/reset-password" novalidate>
<input type="hidden" name="token" value="${token}">
${newPasswordField(typed, { focus: true, wrong: problems.map(sentence) })}
<button class="wide">${sessionWords.setPassword}</button>
${showButton(typed)}
</form>`;
  return plainPage({ title: sessionWords.choose, body, status });
}

type Change = Omit<Reset, "token"> & { wrong?: string };

/**
 * Asks a signed-in person for the current and a new password. Each problem starts with the name of its field and is shown there;
 * `wrong` explains why the whole form was not accepted.
 */
export function changePasswordPage({ typed, problems = [], wrong, status = 200 }: Change): Response {
  const about = (start: string) => problems.filter((problem) => problem.startsWith(start)).map(sentence);
  const body = html`
<h1>${sessionWords.change}</h1>
<p class="muted">${sessionWords.changeEnds}</p>
${wrong && html`<div class="notice wrong" role="alert"><p>${wrong}</p></div>`}
<form method="post" action="/settings/password" novalidate>
${field({
  name: "current",
  label: sessionWords.currentPassword,
  autocomplete: "current-password",
  focus: true,
  wrong: about("current password"),
  ...passwordInput(typed, "current"),
})}
${newPasswordField(typed, { wrong: about("password") })}
<button class="wide">${sessionWords.setPassword}</button>
${showButton(typed)}
</form>
<p class="muted"><a href="/settings">${sessionWords.backToSettings}</a></p>`;
  return plainPage({ title: sessionWords.change, body, status });
}

export function passwordChangedPage(): Response {
  const body = html`
<h1>${sessionWords.isChanged}</h1>
<p>${sessionWords.isChangedWhy}</p>
<p><a class="button" href="/settings">${sessionWords.backToSettings}</a></p>`;
  return plainPage({ title: sessionWords.isChanged, body });
}

/** The last page of a person who deleted their account. */
export function accountDeletedPage(): Response {
  const { title, text } = sessionWords.accountDeleted;
  return plainPage({
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>`,
  });
}

type Again = {
  email: string;
  callbackUrl: string;
  typed?: Typed;
  wrong?: string;
  status?: number;
  retryAfterSeconds?: number;
};

/** Asks a signed-in person for the password again, before an action that needs a fresh sign-in. */
export function signInAgainPage({
  email,
  callbackUrl,
  typed,
  wrong,
  status = 200,
  retryAfterSeconds,
}: Again): Response {
  const body = html`
<h1>${sessionWords.again}</h1>
<p>${sessionWords.againWhy}</p>
<p class="muted">${filled(sessionWords.signedInAs, { email: html`<strong>${email}</strong>` })}</p>
<form method="post" action="/sign-in/again">
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({
  name: "password",
  label: sessionWords.password,
  autocomplete: "current-password",
  focus: true,
  wrong: wrong ? [wrong] : [],
  ...passwordInput(typed, "password"),
})}
<button class="wide">${sessionWords.goOn}</button>
${showButton(typed)}
</form>
${hasPasskeys && html`<p class="muted"><a href="${pathWith("/sign-in/passkey", callbackUrl)}">${factorWords.step.usePasskey}</a></p>`}`;
  return plainPage({ title: sessionWords.again, body, status, headers: retryAfter(retryAfterSeconds) });
}

/** @param done what else the reset has done, as sentences */
export function passwordSetPage(done: string[]): Response {
  const body = html`
<h1>${sessionWords.passwordIsSet}</h1>
<p>${sessionWords.everySessionEnded}</p>
${done.length > 0 && html`<ul>${done.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<p><a class="button" href="/sign-in">${sessionWords.signIn}</a></p>`;
  return plainPage({ title: sessionWords.passwordIsSet, body });
}

/** The form was not accepted, so nothing is known about its link. */
export function resetRefusedPage(why: string, status: 400 | 403): Response {
  const body = html`
<h1>${sessionWords.notSet}</h1>
<p>${why} ${sessionWords.openLinkAgain}</p>
<p><a class="button" href="/forgot-password">${sessionWords.sendNewLink}</a></p>`;
  return plainPage({ title: sessionWords.notSet, body, status });
}

/** The same page whether the token is unknown, used or expired. */
export function resetEndedPage(): Response {
  const body = html`
<h1>${sessionWords.linkEnded}</h1>
<p>${sessionWords.linkEndedWhy}</p>
<p><a class="button" href="/forgot-password">${sessionWords.sendNewLink}</a></p>`;
  return plainPage({ title: sessionWords.linkEnded, body, status: 410 });
}
