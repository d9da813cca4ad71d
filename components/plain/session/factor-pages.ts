import { encode } from "uqr";
import { env } from "@/lib/env";
import type { AuthenticatorSetup, PasskeySetup } from "@/lib/users";
import { formTargetsOf } from "../../session/requests";
import { settingsWords } from "../../settings/words";
import { type Html, html, plainPage } from "../page";
import { factorWords } from "./factor-words";
import { field, pathWith, retryAfter } from "./pages";

/** The only script of the pages without script: two pages about passkeys load it as a file. */
const PASSKEY_SCRIPT = `${env.appUrl}/passkey.js`;

const problem = (text: string | undefined) => text && html`<div class="notice wrong" role="alert"><p>${text}</p></div>`;
const toSettings = html`<p class="muted"><a href="/settings">${factorWords.backToSettings}</a></p>`;

type SecondStep = {
  callbackUrl: string;
  hasPasskey: boolean;
  wrong?: string;
  status?: number;
  retryAfterSeconds?: number;
};

/** Asks for a code after the password. */
export function secondStepPage(given: SecondStep): Response {
  const { callbackUrl, hasPasskey, wrong, status = 200, retryAfterSeconds } = given;
  const { title, how, code, goOn, usePasskey, startAgain } = factorWords.step;
  const body = html`
<h1>${title}</h1>
<p class="muted">${how}</p>
${problem(wrong)}
<form method="post" action="/sign-in/code">
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${field({ name: "code", label: code, type: "text", autocomplete: "one-time-code", focus: true })}
<button class="wide">${goOn}</button>
</form>
${hasPasskey && html`<p class="muted"><a href="${pathWith("/sign-in/passkey", callbackUrl, { step: "second" })}">${usePasskey}</a></p>`}
<p class="muted"><a href="${pathWith("/sign-in", callbackUrl)}">${startAgain}</a></p>`;
  const headers = retryAfter(retryAfterSeconds);
  return plainPage({ title, body, status, headers, formTargets: formTargetsOf(callbackUrl) });
}

type PasskeySignIn = {
  setup: PasskeySetup;
  callbackUrl: string;
  isSecondStep: boolean;
  wrong?: string;
  status?: number;
};

/** Signs in with a passkey. The script asks the browser at once, and again when the button is pressed. */
export function passkeyPage({ setup, callbackUrl, isSecondStep, wrong, status = 200 }: PasskeySignIn): Response {
  const { signIn, how, press, backToPassword, useCode } = factorWords.passkey;
  const body = html`
<h1>${signIn}</h1>
<p class="muted">${how}</p>
${problem(wrong)}
<form method="post" action="/sign-in/passkey" ${passkeyData("get", setup, wrong === undefined)}>
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
<input type="hidden" name="step" value="${isSecondStep ? "second" : ""}">
${passkeyFields(setup)}
<button class="wide" disabled>${press}</button>
</form>
<p class="muted"><a href="${pathWith(isSecondStep ? "/sign-in/code" : "/sign-in", callbackUrl)}">${isSecondStep ? useCode : backToPassword}</a></p>`;
  return plainPage({ title: signIn, body, status, formTargets: formTargetsOf(callbackUrl), script: PASSKEY_SCRIPT });
}

type NewPasskey = { setup: PasskeySetup; name?: string; wrong?: string; isFirst: boolean; status?: number };

/** Names and adds a passkey. */
export function newPasskeyPage({ setup, name, wrong, isFirst, status = 200 }: NewPasskey): Response {
  const { title, how, alsoStep, name: label, nameHint, defaultName, add } = factorWords.newPasskey;
  const body = html`
<h1>${title}</h1>
<p class="muted">${how}</p>
${isFirst && html`<p>${alsoStep}</p>`}
${problem(wrong)}
<form method="post" action="/settings/passkeys" ${passkeyData("create", setup, false)}>
${passkeyFields(setup)}
${field({ name: "name", label, type: "text", autocomplete: "off", value: name ?? defaultName, hint: nameHint })}
<button class="wide" disabled>${add}</button>
</form>
${toSettings}`;
  return plainPage({ title, body, status, script: PASSKEY_SCRIPT });
}

/**
 * What public/passkey.js reads: the call to make, its options, and the texts for its failures. It also enables the button, because a
 * form that is sent before the script has arrived would contain no passkey.
 */
function passkeyData(call: "create" | "get", { options }: PasskeySetup, isImmediate: boolean): Html {
  const { unsupported, stopped } = factorWords.passkey;
  return html`data-passkey="${call}" data-options="${options}" data-unsupported="${unsupported}" data-stopped="${stopped}"${isImmediate && html` data-immediate="yes"`}`;
}

function passkeyFields({ ticket }: PasskeySetup): Html {
  return html`<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="credential" value="">
<div class="notice wrong" role="alert" hidden></div>
<noscript><div class="notice wrong"><p>${factorWords.passkey.needsScript}</p></div></noscript>`;
}

/** Shows a new secret and asks for the first code. */
export function authenticatorPage(setup: AuthenticatorSetup, wrong?: string): Response {
  const { title, scan, picture, orType, thenCode, code, turnOn } = factorWords.authenticator;
  const body = html`
<h1>${title}</h1>
<p>${scan}</p>
${qrCode(setup.address, picture)}
<p>${orType}</p>
<p><span class="code secret">${setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}</span></p>
<p>${thenCode}</p>
<form method="post" action="/settings/authenticator">
<input type="hidden" name="ticket" value="${setup.ticket}">
${field({ name: "code", label: code, type: "text", autocomplete: "one-time-code", wrong: wrong ? [wrong] : [] })}
<button class="wide">${turnOn}</button>
</form>
${toSettings}`;
  return plainPage({ title, body, status: wrong ? 400 : 200 });
}

export function authenticatorIsOnPage(): Response {
  const { isOn, isOnWhy } = factorWords.authenticator;
  return plainPage({ title: isOn, body: html`<h1>${isOn}</h1><p>${isOnWhy}</p>${toSettings}`, status: 409 });
}

/** Shows new recovery codes once. */
export function recoveryCodesPage(codes: string[], areReplaced = false): Response {
  const { title, how, replaced, saved } = factorWords.recovery;
  const body = html`
<h1>${title}</h1>
<p>${how}</p>
${areReplaced && html`<p>${replaced}</p>`}
<ul class="codes">${codes.map((code) => html`<li><span class="code">${code}</span></li>`)}</ul>
<div class="row"><a class="button" href="/settings">${saved}</a></div>`;
  return plainPage({ title, body });
}

/** Shows the secret address of a person's calendar, once. */
export function calendarAddressPage(address: string): Response {
  const { title, how, secret, saved } = settingsWords.calendarAddress.page;
  const body = html`
<h1>${title}</h1>
<p>${how}</p>
<div class="notice"><p>${address}</p></div>
<p>${secret}</p>
<div class="row"><a class="button" href="/settings">${saved}</a></div>`;
  return plainPage({ title, body });
}

/** A QR code as SVG, dark on light in both themes, because not every app reads inverted codes. */
function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${dark.join("")}"/></svg>`;
}
