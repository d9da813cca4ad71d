import { env } from "@/lib/env";
import { parseUrl } from "@/lib/env/parse-url";
import { type AskedAddress, askedAddress } from "@/lib/http/page-request";
import { isHostOfOurs } from "@/lib/http/request-target";
import { filled, type Html, html } from "../page";
import { sessionWords } from "./words";

/**
 * A warning if the page was opened at another address than the configured one: the session cookie belongs to that one, so
 * signing in here would not work. Undefined if the addresses match or the page's address is unknown.
 * @param path the path to open at the configured address
 */
export function wrongAddress(request: Request, path: string): Html | undefined {
  const asked = addressOf(request);
  if (!asked || isOurs(asked)) return undefined;
  const setting = env.appUrl === env.baseUrl ? "BASE_URL" : "APP_URL";
  // Another name of this machine is shown. A foreign host is not, because anyone can put one into a request.
  const isShown = asked.host !== undefined && isHostOfOurs(asked.host);
  const shown = isShown && `${asked.scheme ? `${asked.scheme}://` : ""}${asked.host}`;
  const header = html`<span class="code">Host</span>`;
  const ours = html`<strong>${env.appUrl}</strong>`;
  return html`<div class="notice wrong" role="alert">
<p><strong>${sessionWords.address.wrongAddress}</strong></p>
<p>${shown ? filled(sessionWords.address.askedAt, { ours, asked: html`<strong>${shown}</strong>` }) : filled(sessionWords.address.askedElsewhere, { ours })}</p>
<p><a href="${env.appUrl}${path}">${sessionWords.address.goOnAt(env.appUrl)}</a></p>
<p>${filled(sessionWords.address.howToSet, { setting: html`<span class="code">${setting}</span>`, header })}</p>
</div>`;
}

/** Whether a form with a foreign origin came from our own page, opened at the wrong address. */
export function isOwnElsewhere(request: Request): boolean {
  const asked = addressOf(request);
  return asked?.scheme !== undefined && !isOurs(asked) && originOf(request)?.host === asked.host;
}

/** Prefers the scheme of the form's Origin, because an untrusted proxy's scheme is ignored. */
function addressOf(request: Request): AskedAddress | undefined {
  const asked = askedAddress(request);
  const origin = originOf(request);
  const isSame = origin && asked?.host !== undefined && hostAt(origin.protocol, asked.host) === origin.host;
  return isSame ? { scheme: schemeOf(origin), host: origin.host } : asked;
}

function originOf(request: Request): URL | undefined {
  const origin = request.headers.get("origin");
  return parseUrl(origin ?? "");
}

function isOurs({ scheme, host }: AskedAddress): boolean {
  const ours = new URL(env.appUrl);
  const isHost = host !== undefined && hostAt(ours.protocol, host) === ours.host;
  return isHost && (scheme === undefined || scheme === schemeOf(ours));
}

/** The host without the scheme's default port. */
function hostAt(protocol: string, host: string): string {
  return new URL(`${protocol}//${host}`).host;
}

function schemeOf({ protocol }: URL): string {
  return protocol.slice(0, -1);
}
