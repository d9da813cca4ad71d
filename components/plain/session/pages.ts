import { env } from "@/lib/env";
import { hasPasskeys } from "@/lib/users";
import { formTargetsOf } from "../../session/requests";
import { filled, type Html, html, plainPage } from "../page";
import { factorWords } from "./factor-words";
import { sessionWords } from "./words";

type SignIn = {
  email?: string;
  callbackUrl: string;
  typed?: Typed;
  wrong?: string;
  note?: string;
  address?: Html;
  status?: number;
  retryAfterSeconds?: number;
};

/** The sign-in form. `wrong` explains why the last attempt failed, `note` is a success message, `address` comes from `wrongAddress`. */
export function signInPage(given: SignIn): Response {
  const { email = "", callbackUrl, typed, wrong, note, address, status = 200, retryAfterSeconds } = given;
  const create = html`<a href="${pathWith("/sign-up", callbackUrl)}">${sessionWords.createAnAccount}</a>`;
  const body = html`
<h1>${sessionWords.welcomeBack}</h1>
<p class="muted">${filled(sessionWords.newHere, { create })}</p>
${address}
${wrong && html`<div class="notice wrong" role="alert"><p>${wrong}</p></div>`}
${note && html`<div class="notice" role="status"><p>${note}</p></div>`}
${
  hasPasskeys &&
  html`<p><a class="button quiet wide" href="${pathWith("/sign-in/passkey", callbackUrl)}">${factorWords.passkey.signIn}</a></p>
<p class="or">${sessionWords.orWithEmail}</p>`
}
<form method="post" action="/sign-in">
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({ name: "email", label: sessionWords.email, type: "email", autocomplete: "username", value: email, focus: !email })}
${field({
  name: "password",
  label: sessionWords.password,
  autocomplete: "current-password",
  focus: email !== "",
  ...passwordInput(typed, "password"),
})}
<button class="wide">${sessionWords.signIn}</button>
<div class="beside">${showButton(typed)}<a href="/forgot-password">${sessionWords.forgot}</a></div>
</form>`;
  const headers = retryAfter(retryAfterSeconds);
  const formTargets = formTargetsOf(callbackUrl);
  return plainPage({ title: sessionWords.signIn, body, isWelcome: true, status, headers, formTargets });
}

/** The passwords that a person has typed into a form, by field name, and whether the page shows them as text. */
export type Typed = { areShown: boolean; values: { [field: string]: string } };

/**
 * Returns what was typed if the person pressed "Show password" or "Hide password". These pages have no script, so the form
 * comes here, and the same page goes back with the passwords in it. Nothing is checked or stored.
 */
export function typedPasswords(form: URLSearchParams, ...fields: string[]): Typed | undefined {
  const show = form.get("show");
  if (show === null) return undefined;
  return { areShown: show === "yes", values: Object.fromEntries(fields.map((name) => [name, form.get(name) ?? ""])) };
}

/** The type and the value of a password's field. */
export function passwordInput(typed: Typed | undefined, name: string): Pick<Field, "type" | "value"> {
  return { type: typed?.areShown ? "text" : "password", value: typed?.values[name] };
}

/** Comes after the form's main button, because Enter presses the first one. */
export function showButton(typed: Typed | undefined): Html {
  const [value, label] = typed?.areShown ? ["no", sessionWords.hidePassword] : ["yes", sessionWords.showPassword];
  return html`<button class="link" name="show" value="${value}" formnovalidate>${label}</button>`;
}

/** The header of a response that asks to wait (RFC 9110, section 10.2.3). */
export function retryAfter(seconds: number | undefined): { [name: string]: string } {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

type SignUp = {
  name?: string;
  email?: string;
  callbackUrl: string;
  typed?: Typed;
  problems?: string[];
  address?: Html;
  status?: number;
  retryAfterSeconds?: number;
};

/** The sign-up form. It shows every problem next to its field and keeps the values except the password. */
export function signUpPage({
  name = "",
  email = "",
  callbackUrl,
  typed,
  problems = [],
  address,
  status = 200,
  retryAfterSeconds,
}: SignUp): Response {
  const about = (field: string) => problems.filter((problem) => problem.startsWith(field)).map(sentence);
  const rest = problems.filter((problem) => !/^(name|email|password)/.test(problem));
  const signIn = html`<a href="${pathWith("/sign-in", callbackUrl)}">${sessionWords.signIn}</a>`;
  const body = html`
<h1>${sessionWords.signUp}</h1>
<p class="muted">${env.sandbox ? sessionWords.signUpNextSimulated : sessionWords.signUpNext}</p>
<p class="muted">${filled(sessionWords.haveOne, { signIn })}</p>
${address}
${rest.length > 0 && html`<div class="notice wrong" role="alert">${rest.map((problem) => html`<p>${problem}</p>`)}</div>`}
<form method="post" action="/sign-up" novalidate>
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({ name: "name", label: sessionWords.name, optional: true, type: "text", autocomplete: "name", value: name, wrong: about("name") })}
${field({
  name: "email",
  label: sessionWords.email,
  type: "email",
  autocomplete: "username",
  value: email,
  wrong: about("email"),
})}
${field({
  name: "password",
  label: sessionWords.password,
  autocomplete: "new-password",
  hint: sessionWords.passwordHint,
  wrong: about("password"),
  ...passwordInput(typed, "password"),
})}
<button class="wide">${sessionWords.create}</button>
${showButton(typed)}
</form>`;
  return plainPage({
    title: sessionWords.signUp,
    body,
    isWelcome: true,
    status,
    headers: retryAfter(retryAfterSeconds),
    formTargets: formTargetsOf(callbackUrl),
  });
}

export type Field = {
  name: string;
  label: string;
  type: string;
  autocomplete: string;
  value?: string;
  hint?: string;
  optional?: boolean;
  focus?: boolean;
  wrong?: string[];
};

/** A labelled form field with its hint and problems, linked for screen readers. */
export function field({ name, label, type, autocomplete, value = "", hint, optional, focus, wrong = [] }: Field): Html {
  // A phone must not change a password that is shown as text.
  const exact = autocomplete.endsWith("-password") && html` autocapitalize="none" spellcheck="false"`;
  const notes = [hint && `${name}-hint`, wrong.length > 0 && `${name}-wrong`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="muted">${sessionWords.optional}</span>`}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${exact}${focus && html` autofocus`}${
    notes !== "" && html` aria-describedby="${notes}"`
  }${wrong.length > 0 && html` aria-invalid="true"`}>
${wrong.length > 0 && html`<div class="wrong" id="${name}-wrong">${wrong.map((problem) => html`<p>${problem}</p>`)}</div>`}
</div>`;
}

export function pathWith(path: string, callbackUrl: string, more: { [name: string]: string } = {}): string {
  const query = new URLSearchParams({ ...more, ...(callbackUrl === "/" ? {} : { callbackUrl }) });
  return query.size === 0 ? path : `${path}?${query}`;
}

export function sentence(problem: string): string {
  return problem.replace(/^email/, sessionWords.email).replace(/^./, (first) => first.toUpperCase());
}
