import { randomUUID } from "node:crypto";
import { z } from "zod";
import { databaseNow } from "../db";
import { env } from "../env";
import { AccessDenied, AccountInUse, BadRequest } from "../errors";
import { readForm } from "../http/form";
import { appOf, isOffered, type Network, networkOf, PlatformError } from "../networks";
import { type Platform, platformValues } from "../platforms";
import { sessionUser } from "../users";
import { connectableNetwork, dashboardReturn, popupReturn, returnLocation } from "./addresses";
import { type BridgeResult, connectFailed, requestedLanguages } from "./bridge";
import { connectWithPassword } from "./direct";
import { ConnectError } from "./failure";
import { openAttempt } from "./open";
import { connectUrl } from "./state";

/**
 * The dashboard's own way into the bridge. Its forms post here; most networks continue with a connect link. Networks whose
 * accounts live on many servers first ask for the account's name, on a page that also accepts an app password.
 */

type FieldText = { label: string; hint: string };

/** Asks for the account's name, or for its name and an app password. */
export type AccountPage = {
  network: string;
  platform: Platform;
  account: FieldText;
  password?: FieldText;
  /** Fields of the form that led here; they are passed on unchanged. */
  carried: { [name: string]: string };
  /** The name entered before. */
  typed?: string;
  problem?: { field: "account" | "password"; message: string };
};

export type DashboardResult =
  /** See other (303): `location` is one of our own addresses. */
  { kind: "see-other"; location: string } | { kind: "account"; page: AccountPage } | BridgeResult;

type DashboardInput = {
  link: { jti: string; owner: string; sessionEpoch: number; platform: Platform; redirectUri: string };
  network: Network;
  account: string;
  password: string;
  form: URLSearchParams;
};

const MAX_ACCOUNT_LENGTH = 300;
const CARRIED_FIELDS = ["ticket", "window", "reconnects"];
const MAX_CARRIED_LENGTH = 100;

/**
 * Answers the dashboard's connect buttons: `platform`, `reconnects` to reconnect the account with this id, and `window=popup`
 * for a window that closes itself at the end.
 */
export async function connectFromDashboard(request: Request): Promise<DashboardResult> {
  try {
    const input = await readInput(request);
    if (!input) return toSignIn();
    const { link, network, account } = input;
    if (network.connect.kind === "bot") {
      await openAttempt({ ...link, languages: requestedLanguages(request) });
      return seeOther(`${env.appUrl}/accounts/connect/${link.jti}`);
    }
    const question = network.connect.account;
    if (!question) return seeOther(connectUrl(link, await databaseNow()));
    const found = account && (await question.find(appOf(network), account).catch(ignorePlatformError));
    return seeOther(found ? connectUrl({ ...link, account: found }, await databaseNow()) : accountPageUrl(input));
  } catch (error) {
    return connectFailed(error, request, true);
  }
}

/** The page that asks for the account's name shows the problem later, so it is not reported here. */
function ignorePlatformError(error: unknown): undefined {
  if (error instanceof PlatformError) return undefined;
  throw error;
}

/** The page that asks for the account's name. */
export async function getAccountPage(request: Request): Promise<DashboardResult> {
  if (!(await sessionUser(request.headers))) return toSignIn();
  const asked = findAccountPage(new URL(request.url).searchParams);
  return asked ? { kind: "account", page: asked.page } : toAccounts();
}

/** Looks up the entered name before the browser leaves, so that a typing mistake is shown next to its field. */
export async function connectByAccountName(request: Request): Promise<DashboardResult> {
  try {
    const input = await readInput(request);
    if (!input) return toSignIn();
    const asked = findAccountPage(input.form);
    if (!asked) return toAccounts();
    try {
      const account = await asked.find(appOf(input.network), input.account);
      return seeOther(connectUrl({ ...input.link, account }, await databaseNow()));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return { kind: "account", page: { ...asked.page, problem: { field: "account", message: error.message } } };
    }
  } catch (error) {
    return connectFailed(error, request);
  }
}

/** Connects with the account's name and an app password. The password is used once and never shown again. */
export async function connectByPassword(request: Request): Promise<DashboardResult> {
  try {
    const input = await readInput(request);
    if (!input) return toSignIn();
    const { link, account, password } = input;
    const page = findAccountPage(input.form)?.page;
    if (!page?.password) return toAccounts();
    try {
      const accountId = await connectWithPassword(link.owner, link.platform, { account, password }, link);
      return seeOther(returnLocation(link.redirectUri, accountId));
    } catch (error) {
      if (error instanceof ConnectError) return connectFailed(withContext(error, link, account), request, true);
      if (!(error instanceof PlatformError || error instanceof AccountInUse)) throw error;
      return { kind: "account", page: { ...page, problem: { field: "password", message: error.message } } };
    }
  } catch (error) {
    return connectFailed(error, request);
  }
}

/** Lets the failure page offer to start again: the person who sent the form is signed in. */
function withContext({ failure, message, other }: ConnectError, link: DashboardInput["link"], account: string) {
  return new ConnectError(failure, message, { other, context: { ...link, account, canRestart: true } });
}

/**
 * Reads a form of the dashboard; undefined if no one is signed in.
 * @throws AccessDenied if the form is on another site or the user is suspended or being deleted; BadRequest
 */
async function readInput(request: Request): Promise<DashboardInput | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) throw new AccessDenied();
  // Before the session, which can end while the form arrives.
  const form = (await readForm(request)) ?? new URLSearchParams();
  const user = await sessionUser(request.headers);
  if (!user) return undefined;
  if (user.suspended || user.deleting) throw new AccessDenied();
  const platform = platformValues.find((value) => value === form.get("platform"));
  if (!platform) throw new BadRequest(`platform must be one of ${platformValues.join(", ")}`);
  const [reconnects] = /^\d{1,15}$/.exec(form.get("reconnects") ?? "") ?? [];
  const returnTo = form.get("window") === "popup" ? popupReturn : dashboardReturn;
  const redirectUri = returnTo(reconnects === undefined ? undefined : Number(reconnects));
  return {
    link: { jti: ticketOf(form), owner: user.id, sessionEpoch: user.sessionEpoch, platform, redirectUri },
    network: connectableNetwork(platform),
    account: form.get("account")?.trim().slice(0, MAX_ACCOUNT_LENGTH) ?? "",
    password: form.get("password") ?? "",
    form,
  };
}

/** The id under which the page that sent the form asks for the outcome; a random one if it sent none. */
function ticketOf(form: URLSearchParams): string {
  const ticket = form.get("ticket") ?? "";
  return z.uuid().safeParse(ticket).success ? ticket : randomUUID();
}

function accountPageUrl({ link, form, account }: DashboardInput): string {
  const carried = CARRIED_FIELDS.flatMap((name) => (form.get(name) ? [[name, form.get(name) ?? ""]] : []));
  const query = new URLSearchParams([
    ["platform", link.platform],
    ...carried,
    ...(account ? [["account", account]] : []),
  ]);
  return `${env.appUrl}/accounts/name?${query}`;
}

/** The account page and its lookup; undefined if the network does not ask for a name or is not set up here. */
function findAccountPage(given: URLSearchParams) {
  const platform = platformValues.find((value) => value === given.get("platform"));
  const network = platform && isOffered(platform) ? networkOf(platform) : undefined;
  if (!platform || network?.connect.kind !== "oauth" || !network.connect.account) return undefined;
  const { account, password } = network.connect;
  const carried = Object.fromEntries(
    CARRIED_FIELDS.flatMap((name) => {
      const value = given.get(name);
      return value ? [[name, value.slice(0, MAX_CARRIED_LENGTH)]] : [];
    }),
  );
  const typed = (given.get("account") ?? "").slice(0, MAX_ACCOUNT_LENGTH);
  const page: AccountPage = { network: network.name, platform, account, password, carried, typed };
  return { page, find: account.find };
}

function seeOther(location: string): DashboardResult {
  return { kind: "see-other", location };
}

function toAccounts(): DashboardResult {
  return seeOther(`${env.appUrl}/accounts`);
}

/** A person who is not signed in signs in first and then finds the connect buttons again. */
function toSignIn(): DashboardResult {
  return seeOther(`${env.appUrl}/sign-in?callbackUrl=%2Faccounts`);
}
