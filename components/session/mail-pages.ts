import { html, plainPage } from "../plain-page";

/** Asks for one press: programs that open the links in mails confirm nothing. */
export function confirmPage(token: string): Response {
  const body = html`
<h1>Confirm your e-mail address</h1>
<p>One press, and Carillon can write to you when a post has gone out or needs you.</p>
<form method="post" action="/confirm-email">
<input type="hidden" name="token" value="${token}">
<button class="wide">Confirm this address</button>
</form>`;
  return plainPage({ title: "Confirm your e-mail address", body });
}

export function confirmedPage(email: string): Response {
  const body = html`
<h1>Thank you</h1>
<p><strong>${email}</strong> is confirmed.</p>
<p><a class="button" href="/">Go to Carillon</a></p>`;
  return plainPage({ title: "Address confirmed", body });
}

export function confirmEndedPage(): Response {
  const body = html`
<h1>This link does not work any more</h1>
<p>A link to confirm an address works once, for seven days. If yours is not confirmed yet, Carillon shows so after you sign
in, and sends a new link from there.</p>
<p><a class="button" href="/settings">Go to your settings</a></p>`;
  return plainPage({ title: "This link does not work any more", body, status: 410 });
}

type Asked = { heading: string; text: string; status?: number };

/** What became of asking for another confirmation mail. */
export function askedPage({ heading, text, status = 200 }: Asked): Response {
  const body = html`<h1>${heading}</h1>
<p>${text}</p>
<p><a class="button" href="/">Go to Carillon</a></p>`;
  return plainPage({ title: heading, body, status });
}

type Unsubscribe = { subscription: string; label: string };

/** Before: what would end, and the one press that ends it. Opening the page alone changes nothing (RFC 8058). */
export function unsubscribePage({ subscription, label }: Unsubscribe): Response {
  const body = html`
<h1>Unsubscribe?</h1>
<p>You will get no more mails of this kind: <strong>${label}</strong>.</p>
${subscriptionForm(subscription, "stop", "Unsubscribe")}
<p class="muted"><a href="/settings">Choose what you get</a></p>`;
  return plainPage({ title: "Unsubscribe", body });
}

/** After: what holds now, and the way back. */
export function unsubscribedPage({ subscription, label }: Unsubscribe, isWanted: boolean): Response {
  const body = isWanted
    ? html`
<h1>You are subscribed again</h1>
<p>You get these mails: <strong>${label}</strong>.</p>
${subscriptionForm(subscription, "stop", "Unsubscribe")}`
    : html`
<h1>You are unsubscribed</h1>
<p>You get no more mails of this kind: <strong>${label}</strong>.</p>
${subscriptionForm(subscription, "again", "Subscribe again")}`;
  return plainPage({ title: isWanted ? "Subscribed again" : "Unsubscribed", body });
}

export function unknownSubscriptionPage(): Response {
  const body = html`
<h1>This link does not work</h1>
<p>It may have been cut on its way. You can choose what you get after you sign in.</p>
<p><a class="button" href="/settings">Choose what you get</a></p>`;
  return plainPage({ title: "This link does not work", body, status: 404 });
}

function subscriptionForm(subscription: string, wish: "stop" | "again", label: string) {
  return html`<form method="post" action="/unsubscribe?${new URLSearchParams({ s: subscription }).toString()}">
<button class="wide${wish === "again" && " quiet"}" name="wish" value="${wish}">${label}</button>
</form>`;
}
