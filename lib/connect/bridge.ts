import { databaseNow } from "../db";
import { env } from "../env";
import { ApiError, StateExpired } from "../errors";
import { readForm } from "../http/form";
import { cookieNamesWithPrefix, cookieOf, cookiesWithPrefix, prefersJson } from "../http/headers";
import { log } from "../log";
import { networkOf } from "../networks";
import { type Branding, chooseLanguage, findBrandingForUser, type PageLanguage } from "../partners";
import { type Platform, platforms, platformValues } from "../platforms";
import { randomToken } from "../secrets";
import { dashboardReturn, linkOnCallbackHost, popupReturn, readDashboardReturn } from "./addresses";
import { completeAttempt } from "./complete";
import {
  type ConnectContext,
  ConnectError,
  type ConnectFailure,
  type MissingScope,
  type OtherAccount,
  toConnectError,
} from "./failure";
import { type ConnectInput, type OpenedAttempt, openAttempt, openLink, type PendingConfirmation } from "./open";
import { isLinkExpired, restartUrl, unsealConnectState } from "./state";

/**
 * The hosted bridge. A person follows a connect link (`openConnectLink`), perhaps confirms it (`confirmConnect`), decides on
 * the network's page and returns (`finishConnect`). Each function returns data that components/plain/connect renders.
 */

/** Determines a page's language and look. Without branding it has the service's own look; `isOurs`: a dashboard user. */
export type ConnectViewer = { language?: PageLanguage; branding?: Branding; isOurs?: boolean };

export type FailurePage = ConnectViewer & {
  failure: ConnectFailure;
  status: number;
  /** The network's name; absent if it is unknown. */
  network?: string;
  /** For the network's mark. */
  platform?: Platform;
  traceCode?: string;
  restartUrl?: string;
  /** The link's redirectUri, unchanged; absent without a valid link. */
  returnUrl?: string;
  /** The permissions that the person left out. */
  missing?: MissingScope[];
  /** The person chose another account than the one to reconnect. `addUrl` adds it; absent if it is connected already. */
  otherAccount?: OtherAccount & { addUrl?: string };
  /** The page is in a window that the dashboard opened. */
  isPopup?: boolean;
};

export type ConfirmationPage = ConnectViewer & {
  network: string;
  platform: Platform;
  userName: string;
  /** The link's redirectUri, unchanged. */
  returnUrl: string;
  /** The link's sealed state. */
  sealed: string;
  /** Must match the browser's cookie. */
  token: string;
};

export type BridgeResult =
  | { kind: "redirect"; location: string; status: 302 | 303; viewer: ConnectViewer; cookies: string[] }
  | { kind: "confirmation"; page: ConfirmationPage; cookies: string[] }
  | { kind: "failure"; page: FailurePage }
  /** The same for a client that prefers JSON. */
  | { kind: "error"; status: number; message: string }
  /** A prefetch: nothing was opened. */
  | { kind: "empty" };

/** Opens a connect link in this browser: redirects to the network's page, or first asks for a confirmation. */
export async function openConnectLink(request: Request): Promise<BridgeResult> {
  if (isPrefetch(request.headers)) return { kind: "empty" };
  try {
    const sealed = onlyValue(new URL(request.url).searchParams.getAll("whitelabel_state"));
    const input = await readLink(sealed, request);
    const location = linkOnCallbackHost(input.platform, sealed, request.headers.get("host"));
    if (location) return { kind: "redirect", location, status: 302, viewer: {}, cookies: [] };
    const opened = await openLink(input);
    return "url" in opened ? await toNetwork(request, opened, 302) : await toConfirmation(request, sealed, opened);
  } catch (error) {
    return connectFailed(error, request);
  }
}

/** Continues from the confirmation page, only in the browser that was shown it. */
export async function confirmConnect(request: Request): Promise<BridgeResult> {
  try {
    const form = await readForm(request);
    if (!form) throw new ConnectError("unread", "The form cannot be read");
    const input = await readLink(onlyValue(form.getAll("whitelabel_state")), request);
    if (!isConfirmedByBrowser(request.headers, form.get("token") ?? "")) {
      throw new ConnectError("wrong browser", "The confirmation page was shown in another browser");
    }
    return await toNetwork(request, await openAttempt(input), 303);
  } catch (error) {
    return connectFailed(error, request);
  }
}

/** Handles the network's callback and returns to the link's redirectUri. */
export async function finishConnect(request: Request, networkName: string): Promise<BridgeResult> {
  if (isPrefetch(request.headers)) return { kind: "empty" };
  try {
    const platform = platformValues.find((value) => platforms[value] === networkName);
    if (!platform) throw new StateExpired();
    const query = new URL(request.url).searchParams;
    const { location, context } = await completeAttempt(platform, query, noncesOf(request.headers));
    return { kind: "redirect", location, status: 302, viewer: await viewerOf(context), cookies: [] };
  } catch (error) {
    return connectFailed(error, request);
  }
}

/**
 * The failure page for any error of a connect. An unexpected error without a trace is logged here.
 * @param isOurs the request comes from the dashboard, even if the user is unknown
 */
export async function connectFailed(error: unknown, request: Request, isOurs = false): Promise<BridgeResult> {
  const { failure, status: pageStatus, traceCode, context, message, other, missing } = toConnectError(error);
  if (failure === "fault" && !traceCode) {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "the connect bridge failed");
  }
  const status = !context && error instanceof ApiError ? error.status : pageStatus;
  if (prefersJson(request.headers.get("accept"))) return { kind: "error", status, message };
  const viewer = { language: chooseLanguage(requestedLanguages(request)), isOurs };
  if (!context) return { kind: "failure", page: { ...viewer, failure, status, traceCode } };
  return {
    kind: "failure",
    page: {
      ...(await viewerOf({ ...context, language: context.language ?? viewer.language })),
      ...{ failure, status, traceCode, missing },
      network: networkOf(context.platform)?.name,
      platform: context.platform,
      restartUrl: await restartUrl(other ? forAccount(context, other.wanted) : context),
      returnUrl: context.redirectUri,
      isPopup: readDashboardReturn(context.redirectUri)?.isPopup,
      otherAccount: other && { ...other, addUrl: await addUrlOf(context, other) },
    },
  };
}

/** On networks that need the account's name before the redirect, the link names the account. */
function forAccount(context: ConnectContext, name: string): ConnectContext {
  return context.account === undefined ? context : { ...context, account: name.replace(/^@/, "") };
}

/** A link that connects the chosen account as one more; undefined if it is connected already. */
async function addUrlOf(context: ConnectContext, { found, isConnected }: OtherAccount): Promise<string | undefined> {
  if (isConnected) return undefined;
  const redirectUri = readDashboardReturn(context.redirectUri)?.isPopup ? popupReturn() : dashboardReturn();
  return restartUrl({ ...forAccount(context, found), redirectUri });
}

/** The languages that the link and the browser ask for. */
export function requestedLanguages(request: Request) {
  const uiLocales = new URL(request.url).searchParams.get("ui_locales");
  return { uiLocales, acceptLanguage: request.headers.get("accept-language") };
}

/** @throws StateExpired if the state is missing or given more than once */
function onlyValue(values: string[]): string {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) throw new StateExpired();
  return value;
}

/** @throws StateExpired if the link was not signed by this service */
async function readLink(sealed: string, request: Request): Promise<ConnectInput> {
  const state = unsealConnectState(sealed);
  const isExpired = isLinkExpired(state, await databaseNow());
  return { ...state, isExpired, languages: requestedLanguages(request) };
}

/** Redirects to the network's page and sets the cookie that ties the attempt to this browser. */
async function toNetwork(request: Request, opened: OpenedAttempt, status: 302 | 303): Promise<BridgeResult> {
  const { id, url: location, context, nonce } = opened;
  const cookies = [...expiredNonceCookies(request.headers), ...(nonce ? [nonceCookie(id, nonce)] : [])];
  return { kind: "redirect", location, status, viewer: await viewerOf(context), cookies };
}

async function toConfirmation(request: Request, sealed: string, pending: PendingConfirmation): Promise<BridgeResult> {
  const { userName, context } = pending;
  const token = confirmationToken(request.headers);
  const { platform, redirectUri: returnUrl } = context;
  const network = networkOf(platform)?.name ?? platform;
  const page = { ...(await viewerOf(context)), network, platform, userName, returnUrl, sealed, token };
  return { kind: "confirmation", page, cookies: [confirmationCookie(token)] };
}

async function viewerOf({ owner, language }: ConnectContext): Promise<ConnectViewer> {
  const branding = await findBrandingForUser(owner);
  return { language, branding, isOurs: branding === undefined };
}

function isPrefetch(headers: Headers): boolean {
  return /prefetch|prerender/i.test(`${headers.get("sec-purpose")} ${headers.get("purpose")} ${headers.get("x-moz")}`);
}

const secure = env.appUrl.startsWith("https:");

/** Prefix of the cookies that tie an attempt to its browser. `__Host-` requires https, so loopback http omits it. */
const PREFIX = secure ? "__Host-cf_" : "cf_";
const FLAGS = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Longer than an attempt lives, so that a person who returns too late is still recognised and can start again. */
const LIFE_SECONDS = 3600;
const ATTEMPTS_PER_BROWSER = 5;
/** Our pages set at most five. More can only come from elsewhere, and reading is bounded. */
const MAX_READ = 20;

function nonceCookie(attemptId: string, nonce: string): string {
  return `${PREFIX}${attemptId}=${nonce}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Expires a browser's oldest attempt cookies, so that it never has more than five, including the one being set. */
function expiredNonceCookies(headers: Headers): string[] {
  const names = cookieNamesWithPrefix(headers, PREFIX);
  return names
    .slice(0, Math.max(0, names.length - (ATTEMPTS_PER_BROWSER - 1)))
    .map((name) => `${name}=; ${FLAGS}; Max-Age=0`);
}

/** The nonces of all attempts that this browser started. */
function noncesOf(headers: Headers): string[] {
  return cookiesWithPrefix(headers, PREFIX).slice(0, MAX_READ);
}

/** Identifies the browser that was shown the confirmation page; that page's form contains the same value. */
const CONFIRMATION = secure ? "__Host-asked" : "asked";

/** The browser's confirmation token, created if it has none. One token per browser, because several pages may be open. */
function confirmationToken(headers: Headers): string {
  const known = cookieOf(headers, CONFIRMATION) ?? "";
  return /^[\w-]{43}$/.test(known) ? known : randomToken();
}

function confirmationCookie(token: string): string {
  return `${CONFIRMATION}=${token}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Whether the form was sent by the browser that was shown it. A form on another site comes without the cookie (SameSite). */
function isConfirmedByBrowser(headers: Headers, token: string): boolean {
  return token !== "" && cookieOf(headers, CONFIRMATION) === token;
}
