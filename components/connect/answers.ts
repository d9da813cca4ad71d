import { ConnectFailed, type Failure, restartUrl } from "@/lib/connect";
import { env } from "@/lib/env";
import { ApiError, StateExpired } from "@/lib/errors";
import { cookieNamesWithPrefix } from "@/lib/http/cookies";
import { log } from "@/lib/log";
import { type Html, html, plainPage } from "../plain-page";

/** Every answer of the bridge: kept nowhere, framed nowhere, and it tells the next site nothing. */
const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff" };

const secure = env.appUrl.startsWith("https:");

/** The cookies that tie an attempt to its browser. `__Host-` needs https, so loopback http does without. */
export const cookiePrefix = secure ? "__Host-cf_" : "cf_";
const ATTEMPT_SECONDS = 900;
const ATTEMPTS_PER_BROWSER = 5;

export function nonceCookie(attemptId: string, nonce: string): string {
  return `${cookiePrefix}${attemptId}=${nonce}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${ATTEMPT_SECONDS}${secure ? "; Secure" : ""}`;
}

/** Expires the oldest of a browser's attempts, so that it never carries more than five (the one being opened included). */
export function staleCookies(headers: Headers): string[] {
  const names = cookieNamesWithPrefix(headers, cookiePrefix);
  return names
    .slice(0, Math.max(0, names.length - (ATTEMPTS_PER_BROWSER - 1)))
    .map((name) => `${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure ? "; Secure" : ""}`);
}

/**
 * Sends the browser on, the address byte for byte. The body holds it as a link, for a deep link that a browser does not
 * follow by itself.
 */
export function sendOn(location: string, cookies: string[] = []): Response {
  const body = html`<h1>One more step</h1>
<p>Your browser has not gone on by itself.</p>
<div class="row"><a class="button" href="${location}">Continue</a></div>`;
  const page = plainPage({ title: "Continue", body, status: 302, headers: { ...HEADERS, Location: location } });
  for (const cookie of cookies) page.headers.append("Set-Cookie", cookie);
  return page;
}

/** HEAD, previews and prefetches look without opening anything. */
export function nothingOpened(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}

export function isPrefetch(headers: Headers): boolean {
  return /prefetch|prerender/i.test(`${headers.get("sec-purpose")} ${headers.get("purpose")} ${headers.get("x-moz")}`);
}

const TITLES: { [F in Failure]: string } = {
  denied: "You chose not to connect",
  "missing permission": "A permission is missing",
  network: "The network did not go along",
  "account in use": "This account is connected elsewhere",
  "wrong browser": "Open the link again in this browser",
  expired: "This link is no longer good",
};

const ADVICE: { [F in Failure]: string } = {
  denied: "Nothing was connected and nothing was kept. You can start again whenever you like.",
  "missing permission":
    "Posting needs every permission on the network's page. Start again and leave all of them ticked.",
  network: "This is usually over soon. Nothing was connected; start again in a moment.",
  "account in use":
    "Somebody else uses this account here. Disconnect it there first, or start again with another account.",
  "wrong browser": "Connecting was begun in another browser or window. Open the link again here and finish it here.",
  expired: "Connect links work once and for a few minutes. Go back to where you came from and ask for a new one.",
};

/** The page for a connect that did not come about: plain words, one next step that works, a code to quote. */
export async function refused(error: unknown): Promise<Response> {
  if (error instanceof ConnectFailed) {
    const retry = error.attempt && error.failure !== "expired" ? await restartUrl(error.attempt) : undefined;
    return page(error.failure, error.message, error.status, error.traceCode, retry);
  }
  if (error instanceof StateExpired) return page("expired", error.message, 410);
  if (error instanceof ApiError) return page("network", error.message, error.status);
  log.error({ error: error instanceof Error ? error.stack : String(error) }, "the connect bridge failed");
  return page("network", "Something went wrong on our side", 502);
}

function page(failure: Failure, message: string, status: number, traceCode?: string, retry?: string): Response {
  const body = html`<h1>${TITLES[failure]}</h1>
${failure !== "expired" && html`<p>${message}.</p>`}
<p class="muted">${ADVICE[failure]}</p>
${traceCode && html`<p class="hint">If you ask for help, quote this code: <span class="code">${traceCode}</span></p>`}
${retry && html`<div class="row"><a class="button" href="${retry}">Start again</a></div>`}`;
  return plainPage({ title: TITLES[failure], body, status, headers: HEADERS });
}

/** How to connect by talking to a bot: the person's own app does the rest. */
export function botPage(network: string, startUrl: string): Response {
  const steps: Html[] = [
    html`Open the ${network} bot with the button below and press <strong>Start</strong>. That tells us who you are.`,
    html`Add the bot to your channel as an administrator who may post messages.`,
    html`Come back here and look at your accounts.`,
  ];
  const body = html`<h1>Connect ${network}</h1>
<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
<p class="hint">The button works once, for 15 minutes.</p>
<div class="row">
<a class="button" href="${startUrl}" target="_blank" rel="noreferrer">Open ${network}</a>
<a class="button quiet" href="/accounts">I have done this</a>
</div>`;
  return plainPage({ title: `Connect ${network}`, body, headers: HEADERS });
}
