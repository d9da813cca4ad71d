import { env } from "@/lib/env";
import { filled, type Html, html, plainPage } from "../plain-page";
import * as app from "../words/app";
import * as words from "../words/session";
import { formTargetsOf } from "./requests";

type SignIn = { email?: string; callbackUrl: string; wrong?: string; note?: string; address?: Html; status?: number };

/** The sign-in form; `wrong` says why the last try did not work, the e-mail stays. `note` is good news, `address` what `wrongAddress` says. */
export function signInPage({ email = "", callbackUrl, wrong, note, address, status = 200 }: SignIn): Response {
  const create = html`<a href="${pathWith("/sign-up", callbackUrl)}">${words.createAnAccount}</a>`;
  const body = html`
<h1>${words.signIn}</h1>
<p class="muted">${app.claim}</p>
${address}
${wrong && html`<div class="notice wrong" role="alert"><p>${wrong}</p></div>`}
${note && html`<div class="notice" role="status"><p>${note}</p></div>`}
<form method="post" action="/sign-in">
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({ name: "email", label: words.email, type: "email", autocomplete: "username", value: email, focus: !email })}
${field({ name: "password", label: words.password, type: "password", autocomplete: "current-password", focus: email !== "" })}
<button class="wide">${words.signIn}</button>
</form>
<p class="muted"><a href="/forgot-password">${words.forgot}</a></p>
<p class="muted">${filled(words.newHere, { create })}</p>`;
  return plainPage({ title: words.signIn, body, status, formTargets: formTargetsOf(callbackUrl) });
}

type SignUp = {
  name?: string;
  email?: string;
  callbackUrl: string;
  problems?: string[];
  address?: Html;
  status?: number;
};

/** The sign-up form, checked by the server alone: every problem at once, each beside its field, what was typed (but the password) kept. */
export function signUpPage({
  name = "",
  email = "",
  callbackUrl,
  problems = [],
  address,
  status = 200,
}: SignUp): Response {
  const about = (field: string) => problems.filter((problem) => problem.startsWith(field)).map(sentence);
  const rest = problems.filter((problem) => !/^(name|email|password)/.test(problem));
  const signIn = html`<a href="${pathWith("/sign-in", callbackUrl)}">${words.signIn}</a>`;
  const body = html`
<h1>${words.signUp}</h1>
<p class="muted">${env.sandbox ? words.signUpNextSimulated : words.signUpNext}</p>
${address}
${rest.length > 0 && html`<div class="notice wrong" role="alert">${rest.map((problem) => html`<p>${problem}</p>`)}</div>`}
<form method="post" action="/sign-up" novalidate>
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({ name: "name", label: words.name, optional: true, type: "text", autocomplete: "name", value: name, wrong: about("name") })}
${field({
  name: "email",
  label: words.email,
  type: "email",
  autocomplete: "username",
  value: email,
  wrong: about("email"),
})}
${field({
  name: "password",
  label: words.password,
  type: "password",
  autocomplete: "new-password",
  hint: words.passwordHint,
  wrong: about("password"),
})}
<button class="wide">${words.create}</button>
</form>
<p class="muted">${filled(words.haveOne, { signIn })}</p>`;
  return plainPage({ title: words.signUp, body, status, formTargets: formTargetsOf(callbackUrl) });
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

/** A labelled field of a form, with its hint and what is wrong with it where a screen reader finds them. */
export function field({ name, label, type, autocomplete, value = "", hint, optional, focus, wrong = [] }: Field): Html {
  const notes = [hint && `${name}-hint`, wrong.length > 0 && `${name}-wrong`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="muted">${words.optional}</span>`}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${focus && html` autofocus`}${
    notes !== "" && html` aria-describedby="${notes}"`
  }${wrong.length > 0 && html` aria-invalid="true"`}>
${wrong.length > 0 && html`<div class="wrong" id="${name}-wrong">${wrong.map((problem) => html`<p>${problem}</p>`)}</div>`}
</div>`;
}

function pathWith(path: string, callbackUrl: string): string {
  return callbackUrl === "/" ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}

export function sentence(problem: string): string {
  return problem.replace(/^email/, words.email).replace(/^./, (first) => first.toUpperCase());
}
