import {
  type ConnectContext,
  chooseLanguage,
  findBrandingForUser,
  type OpenedAttempt,
  popupReturn,
  type Question,
  restartUrl,
  toConnectError,
} from "@/lib/connect";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { networkOf } from "@/lib/networks";
import { askedCookie, askedToken, nonceCookie, staleCookies } from "../../../lib/connect/cookies";
import { askPage, failurePage, HEADERS, redirectPage, type Viewer } from "./pages";

type Sent = { whose?: ConnectContext; cookies?: string[]; status?: 302 | 303 };

/** Sends the browser on, the address byte for byte. */
export async function sendOn(location: string, { whose, cookies = [], status }: Sent = {}): Promise<Response> {
  return withCookies(redirectPage(location, whose ? await viewerOf(whose) : {}, status), cookies);
}

/** Sends the browser to the network, with the secret that ties the attempt to it. */
export function sendToNetwork(request: Request, opened: OpenedAttempt, status?: 302 | 303): Promise<Response> {
  const { id, url, context: whose, nonce } = opened;
  const cookies = [...staleCookies(request.headers), ...(nonce ? [nonceCookie(id, nonce)] : [])];
  return sendOn(url, { whose, cookies, status });
}

/** Asks the person whether to begin, in this browser only. */
export async function askFirst(request: Request, sealed: string, question: Question): Promise<Response> {
  const { userName, whose } = question;
  const token = askedToken(request.headers);
  const network = networkOf(whose.platform)?.name ?? whose.platform;
  const page = askPage({ ...(await viewerOf(whose)), network, userName, sealed, token });
  return withCookies(page, [askedCookie(token)]);
}

function withCookies(page: Response, cookies: string[]): Response {
  for (const cookie of cookies) page.headers.append("Set-Cookie", cookie);
  return page;
}

async function viewerOf({ owner, language }: ConnectContext): Promise<Viewer> {
  const branding = await findBrandingForUser(owner);
  return { language, branding, isOurs: branding === undefined };
}

/** HEAD, previews and prefetches look without opening anything. */
export function nothingOpened(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}

export function isPrefetch(headers: Headers): boolean {
  return /prefetch|prerender/i.test(`${headers.get("sec-purpose")} ${headers.get("purpose")} ${headers.get("x-moz")}`);
}

/** What a link and a browser ask for, of the languages. */
export function speaks(request: Request) {
  const uiLocales = new URL(request.url).searchParams.get("ui_locales");
  return { uiLocales, acceptLanguage: request.headers.get("accept-language") };
}

/**
 * The page for whatever kept a connect from coming about, in the name of whoever the person came from.
 * @param isOurs the person came from the dashboard, whoever it is
 */
export async function refused(error: unknown, request: Request, isOurs = false): Promise<Response> {
  const { failure, status, traceCode, context: whose } = toConnectError(error);
  if (failure === "fault" && !traceCode) {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "the connect bridge failed");
  }
  const asked = { language: chooseLanguage(speaks(request)), isOurs };
  if (!whose)
    return failurePage({ ...asked, failure, status: error instanceof ApiError ? error.status : status, traceCode });
  return failurePage({
    ...asked,
    ...(await viewerOf({ ...whose, language: whose.language ?? asked.language })),
    ...{ failure, status, traceCode },
    network: networkOf(whose.platform)?.name,
    restartUrl: await restartUrl(whose),
    isPopup: whose.redirectUri === popupReturn(),
  });
}
