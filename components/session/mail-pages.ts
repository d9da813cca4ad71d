import { filled, html, plainPage } from "../plain-page";
import * as words from "../words/session-mail";

/** Asks for one press: programs that open the links in mails confirm nothing. */
export function confirmPage(token: string): Response {
  const body = html`
<h1>${words.confirm}</h1>
<p>${words.confirmWhy}</p>
<form method="post" action="/confirm-email">
<input type="hidden" name="token" value="${token}">
<button class="wide">${words.confirmThis}</button>
</form>`;
  return plainPage({ title: words.confirm, body });
}

export function confirmedPage(email: string): Response {
  const body = html`
<h1>${words.thankYou}</h1>
<p>${filled(words.isConfirmed, { email: html`<strong>${email}</strong>` })}</p>
<p><a class="button" href="/">${words.goOn}</a></p>`;
  return plainPage({ title: words.confirmed, body });
}

export function confirmEndedPage(): Response {
  const body = html`
<h1>${words.linkEnded}</h1>
<p>${words.linkEndedWhy}</p>
<p><a class="button" href="/settings">${words.goToSettings}</a></p>`;
  return plainPage({ title: words.linkEnded, body, status: 410 });
}

type Asked = { heading: string; text: string; status?: number };

/** What became of asking for another confirmation mail. */
export function askedPage({ heading, text, status = 200 }: Asked): Response {
  const body = html`<h1>${heading}</h1>
<p>${text}</p>
<p><a class="button" href="/">${words.goOn}</a></p>`;
  return plainPage({ title: heading, body, status });
}

type Unsubscribe = { subscription: string; label: string };

/** Before: what would end, and the one press that ends it. Opening the page alone changes nothing (RFC 8058). */
export function unsubscribePage({ subscription, label }: Unsubscribe): Response {
  const body = html`
<h1>${words.unsubscribeQuestion}</h1>
<p>${filled(words.noMore, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "stop", words.unsubscribe)}
<p class="muted"><a href="/settings">${words.chooseMails}</a></p>`;
  return plainPage({ title: words.unsubscribe, body });
}

/** After: what holds now, and the way back. */
export function unsubscribedPage({ subscription, label }: Unsubscribe, isWanted: boolean): Response {
  const body = isWanted
    ? html`
<h1>${words.subscribedAgain}</h1>
<p>${filled(words.getThese, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "stop", words.unsubscribe)}`
    : html`
<h1>${words.unsubscribed}</h1>
<p>${filled(words.getNoMore, { kind: html`<strong>${label}</strong>` })}</p>
${subscriptionForm(subscription, "again", words.subscribeAgain)}`;
  return plainPage({ title: isWanted ? words.subscribedAgainTitle : words.unsubscribedTitle, body });
}

export function unknownSubscriptionPage(): Response {
  const body = html`
<h1>${words.noSubscription}</h1>
<p>${words.noSubscriptionWhy}</p>
<p><a class="button" href="/settings">${words.chooseMails}</a></p>`;
  return plainPage({ title: words.noSubscription, body, status: 404 });
}

function subscriptionForm(subscription: string, wish: "stop" | "again", label: string) {
  return html`<form method="post" action="/unsubscribe?${new URLSearchParams({ s: subscription }).toString()}">
<button class="wide${wish === "again" && " quiet"}" name="wish" value="${wish}">${label}</button>
</form>`;
}
