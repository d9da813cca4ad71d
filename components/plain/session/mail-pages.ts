import { filled, html, plainPage } from "../page";
import { retryAfter } from "./pages";
import { sessionWords } from "./words";

/** Asks the person to press a button, so that programs that open links in mails confirm nothing. */
export function confirmPage(token: string): Response {
  const body = html`
<h1>${sessionWords.mail.confirm}</h1>
<p>${sessionWords.mail.confirmWhy}</p>
<form method="post" action="/confirm-email">
<input type="hidden" name="token" value="${token}">
<button class="wide">${sessionWords.mail.confirmThis}</button>
</form>`;
  return plainPage({ title: sessionWords.mail.confirm, body });
}

export function confirmedPage(email: string): Response {
  const body = html`
<h1>${sessionWords.mail.thankYou}</h1>
<p>${filled(sessionWords.mail.isConfirmed, { email: html`<strong>${email}</strong>` })}</p>
<p><a class="button" href="/">${sessionWords.mail.goOn}</a></p>`;
  return plainPage({ title: sessionWords.mail.confirmed, body });
}

export function confirmEndedPage(): Response {
  const body = html`
<h1>${sessionWords.mail.linkEnded}</h1>
<p>${sessionWords.mail.linkEndedWhy}</p>
<p><a class="button" href="/settings">${sessionWords.mail.goToSettings}</a></p>`;
  return plainPage({ title: sessionWords.mail.linkEnded, body, status: 410 });
}

/** Nothing is known about the link, because the form has no token. */
export function confirmUnreadPage(): Response {
  const { notConfirmed } = sessionWords.mail;
  const body = html`
<h1>${notConfirmed}</h1>
<p>${sessionWords.linkUnread} ${sessionWords.openLinkAgain}</p>`;
  return plainPage({ title: notConfirmed, body, status: 400 });
}

/** Another account confirmed the address before. The link still works if that account is deleted. */
export function addressTakenPage(): Response {
  const { taken, takenWhy, takenSignIn, takenForgot, takenKeep } = sessionWords.mail;
  const forgot = html`<a href="/forgot-password">${takenForgot}</a>`;
  const body = html`
<h1>${taken}</h1>
<p>${takenWhy}</p>
<p>${filled(takenSignIn, { forgot })}</p>
<p>${takenKeep}</p>
<p><a class="button" href="/sign-in">${sessionWords.signIn}</a></p>`;
  return plainPage({ title: taken, body, status: 409 });
}

/** The link was pressed by a person who signed up with the same address. */
export function otherAccountPage(): Response {
  const { otherAccount, otherAccountWhy, otherAccountOwn, otherAccountThat, goToSettings } = sessionWords.mail;
  const body = html`
<h1>${otherAccount}</h1>
<p>${otherAccountWhy}</p>
<p>${otherAccountOwn}</p>
<p>${otherAccountThat}</p>
<p><a class="button" href="/settings">${goToSettings}</a></p>`;
  return plainPage({ title: otherAccount, body, status: 409 });
}

type Asked = { heading: string; text: string; retryAfterSeconds?: number };

/** The result of requesting another confirmation mail: 429 with `retryAfterSeconds`. */
export function askedPage({ heading, text, retryAfterSeconds }: Asked): Response {
  const body = html`<h1>${heading}</h1>
<p>${text}</p>
<p><a class="button" href="/">${sessionWords.mail.goOn}</a></p>`;
  const status = retryAfterSeconds === undefined ? 200 : 429;
  return plainPage({ title: heading, body, status, headers: retryAfter(retryAfterSeconds) });
}

type Unsubscribe = { subscription: string; label: string };

/** Asks for a confirmation. Opening the page alone does not unsubscribe (RFC 8058). */
export function unsubscribePage({ subscription, label }: Unsubscribe): Response {
  const body = html`
<h1>${sessionWords.mail.unsubscribeQuestion}</h1>
<p>${filled(sessionWords.mail.noMore, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "stop", sessionWords.mail.unsubscribe)}
<p class="muted"><a href="/settings">${sessionWords.mail.chooseMails}</a></p>`;
  return plainPage({ title: sessionWords.mail.unsubscribe, body });
}

/** Shows the new state and the way back. */
export function unsubscribedPage({ subscription, label }: Unsubscribe, isWanted: boolean): Response {
  const body = isWanted
    ? html`
<h1>${sessionWords.mail.subscribedAgain}</h1>
<p>${filled(sessionWords.mail.getThese, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "stop", sessionWords.mail.unsubscribe)}`
    : html`
<h1>${sessionWords.mail.unsubscribed}</h1>
<p>${filled(sessionWords.mail.getNoMore, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "again", sessionWords.mail.subscribeAgain)}`;
  return plainPage({
    title: isWanted ? sessionWords.mail.subscribedAgainTitle : sessionWords.mail.unsubscribedTitle,
    body,
  });
}

export function unknownSubscriptionPage(): Response {
  const body = html`
<h1>${sessionWords.mail.noSubscription}</h1>
<p>${sessionWords.mail.noSubscriptionWhy}</p>
<p><a class="button" href="/settings">${sessionWords.mail.chooseMails}</a></p>`;
  return plainPage({ title: sessionWords.mail.noSubscription, body, status: 404 });
}

function subscriptionForm(subscription: string, input: "stop" | "again", label: string) {
  return html`<form method="post" action="/unsubscribe?${new URLSearchParams({ s: subscription }).toString()}">
<button class="wide${input === "again" && " quiet"}" name="wish" value="${input}">${label}</button>
</form>`;
}
