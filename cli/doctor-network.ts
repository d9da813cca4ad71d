import { callNetwork, findAccountToTry, listUnusableDestinations, storedDestinations } from "../lib/accounts";
import { env } from "../lib/env";
import {
  type App,
  type BotConnect,
  type ByHand,
  type Destination,
  isOffered,
  type LiveCheck,
  type Network,
  type OAuthConnect,
  PlatformError,
  type Tokens,
} from "../lib/networks";
import { type Platform, platforms } from "../lib/platforms";
import { credentialSettingsOf, type DoctorProblem, tryCredentials } from "./doctor";

// `doctor --live NETWORK` calls a network with the service's credentials and with a connected account. It publishes nothing.

/** One line of the report. `todo` says what the operator should do next. */
export type Line = {
  check: "identity" | "scopes" | "products" | "quotas" | "upload" | "webhooks";
  /**
   * `warning`: posts work, but something that a setting switches on does not. `by hand`: no call can check it. `not needed`: there
   * is nothing to check. `not run`: an earlier check failed.
   */
  result: "passed" | "failed" | "warning" | "by hand" | "not needed" | "not run";
  found: string;
  todo: string;
};

type NetworkReport = {
  platform: Platform;
  mode: "real" | "sandbox" | "off";
  /** `absent`: the network identifies the service by its address and has no credentials to check. */
  credentials: "accepted" | "failed" | "absent";
  /** The account that was used; null if no account of this network can be used. */
  account: { id: number; username: string } | null;
  checks: Line[];
};

const NOTHING = "Nothing";
const NO_CALL = "No call of the network shows this";
/** How this service answers a notification without a valid signature. */
const REFUSED = 400;
const TIMEOUT_MS = 10_000;
/** What each check looks at, for lines of checks that were not run. */
const AFTER_IDENTITY = ["scopes", "products", "quotas", "upload", "webhooks"] as const;

/**
 * Checks a network's credentials and, with a connected account, everything that a call can show without publishing.
 * @param accountId the account to use; by default the newest that can be used
 */
export async function checkNetwork(
  network: Network,
  accountId?: number,
): Promise<{ report: NetworkReport; problems: DoctorProblem[] }> {
  const { platform, name } = network;
  const { mode } = env.networks[platforms[platform]];
  const report: NetworkReport = { platform, mode, credentials: "absent", account: null, checks: [] };
  if (!isOffered(platform)) {
    const problem = `${name} was not called: it is not offered here`;
    return { report, problems: [{ severity: "failure", problem, fix: `Set ${credentialSettingsOf(network)}` }] };
  }
  const problems = await tryCredentials(network);
  if (network.checkCredentials) report.credentials = problems.length > 0 ? "failed" : "accepted";
  const account = await findAccountToTry(platform, accountId);
  if (!account) return { report, problems: [...problems, noAccountProblem(name, accountId)] };
  const checks = await checkAccount(network, account.id);
  return { report: { ...report, account, checks }, problems: [...problems, ...lineProblems(name, checks)] };
}

/** A missing account is a warning, because a new service has none. One that was asked for is a failure. */
function noAccountProblem(name: string, accountId: number | undefined): DoctorProblem {
  const how = `Connect an account of ${name} at ${env.appUrl}/accounts, and try again`;
  if (accountId === undefined) {
    const problem = `${name} was not called for an account: none is connected that can be used now`;
    return { severity: "warning", problem, fix: how };
  }
  const problem = `${name} was not called: account ${accountId} is not an account of ${name} that can be used now`;
  return { severity: "failure", problem, fix: `${how}, or name another one with --account` };
}

function lineProblems(name: string, checks: Line[]): DoctorProblem[] {
  return checks.flatMap(({ check, result, found, todo }) => {
    if (result !== "failed" && result !== "warning") return [];
    const severity = result === "failed" ? "failure" : "warning";
    return [{ severity, problem: `${name}, ${check}: ${found}`, fix: todo }];
  });
}

/** Runs all checks in order. Without a working identity, the others would only repeat its reason. */
async function checkAccount(network: Network, accountId: number): Promise<Line[]> {
  let tokens: Tokens | undefined;
  const identity = await runCheck("identity", accountId, {
    async run(session) {
      const { username, accountId: networkAccountId } = await network.profile(session);
      tokens = session.tokens;
      return `${network.name} answered for the account ${username} (${networkAccountId})`;
    },
    fix: `Read the status page of ${network.name}, and the log of a worker`,
  });
  if (!tokens) {
    const todo = "Correct the identity first, and run the command again";
    const found = "The call for the identity failed";
    return [identity, ...AFTER_IDENTITY.map((check): Line => ({ check, result: "not run", found, todo }))];
  }
  const { products, quotas, upload, webhooks, callbacksUnder } = network.live;
  return [
    identity,
    await checkScopes(network, accountId, tokens),
    await runCheck("products", accountId, products),
    await runCheck("quotas", accountId, quotas),
    await runCheck("upload", accountId, upload),
    callbacksUnder
      ? await callbackLine(network, accountId, callbacksUnder)
      : await runCheck("webhooks", accountId, webhooks),
  ];
}

async function runCheck(check: Line["check"], accountId: number, live: LiveCheck): Promise<Line> {
  if ("nothing" in live) return { check, result: "not needed", found: live.nothing, todo: NOTHING };
  if ("byHand" in live) return byHandLine(check, live);
  try {
    const found = await callNetwork(accountId, live.run);
    return typeof found === "string" ? { check, result: "passed", found, todo: NOTHING } : byHandLine(check, found);
  } catch (error) {
    return failedLine(check, error, live.fix);
  }
}

function byHandLine(check: Line["check"], { byHand, found = NO_CALL }: ByHand): Line {
  return { check, result: "by hand", found, todo: byHand };
}

function failedLine(check: Line["check"], error: unknown, fix: string): Line {
  if (!(error instanceof PlatformError)) throw error;
  return { check, result: "failed", found: withAnswer(error), todo: todoOf(error, fix) };
}

/** The network's own words follow our sentence, unless it contains them. */
function withAnswer({ message, answer }: PlatformError): string {
  const said = answer?.message;
  return said && !message.includes(said) ? `${message} (${said})` : message;
}

function todoOf({ kind, fix: operatorFix }: PlatformError, fix: string): string {
  if (kind === "operator" && operatorFix) return operatorFix;
  if (kind === "reconnect") return "Reconnect the account, and run the command again";
  if (kind === "later") return `Run the command again in some minutes. If it fails again: ${fix}`;
  if (kind === "unknown") return `Run the command again. If it fails again: ${fix}`;
  return fix;
}

async function checkScopes(network: Network, accountId: number, { scopes }: Tokens): Promise<Line> {
  const { connect, name } = network;
  if (connect.kind === "bot") {
    const chats = await chatsOf(accountId);
    return runCheck("scopes", accountId, { run: ({ app }) => compareRights(connect, app, chats), fix: connect.rights });
  }
  if (!connect.readScopes) return scopeLine(network, connect, scopes);
  try {
    return scopeLine(network, connect, (await callNetwork(accountId, connect.readScopes)) ?? scopes);
  } catch (error) {
    return failedLine("scopes", error, `Read the status page of ${name}, and the log of a worker`);
  }
}

/**
 * Compares the scopes that were granted for the account with those that a connect requires and with those that settings add.
 * @param scopes undefined if the network does not report them
 */
export function scopeLine({ platform, name, live }: Network, connect: OAuthConnect, scopes: Tokens["scopes"]): Line {
  const check = "scopes";
  const { requiredScopes, switchedScopes = [] } = connect;
  if (!scopes || requiredScopes.length === 0) {
    const { products: listed } = live;
    const products = "byHand" in listed ? listed.byHand : `Look at the permissions of the application at ${name}`;
    return { check, result: "by hand", found: `${name} did not report which scopes were granted`, todo: products };
  }
  const missingOf = (wanted: string[]) => wanted.filter((scope) => !scopes.includes(scope));
  const application = `Check that the application at ${name} may request them`;
  const grant = `${application}${addToConfiguration(platform)}, then reconnect the account and grant all of them`;
  const missing = missingOf(requiredScopes);
  if (missing.length > 0) return { check, result: "failed", found: `Not granted: ${missing.join(", ")}`, todo: grant };
  const partial = switchedScopes.filter(({ isOn, scopes: added }) => isOn() && missingOf(added).length > 0);
  if (partial.length === 0) return { check, result: "passed", found: `Granted: ${scopes.join(", ")}`, todo: NOTHING };
  const settings = partial.map(({ setting }) => setting).join(" and ");
  const reasons = partial.map(({ setting, scopes: added }) => `${missingOf(added).join(", ")} (${setting} is on)`);
  return {
    check,
    result: "warning",
    found: `Not granted: ${reasons.join(", ")}`,
    todo: `${grant}. If the application may not request them, switch ${settings} off`,
  };
}

/** A login configuration replaces the scopes that a connect requests, so it must contain them as well. */
function addToConfiguration(platform: Platform): string {
  const settings = env.networks[platforms[platform]];
  if (settings.mode === "off" || !settings.configId) return "";
  const setting = `${platforms[platform].toUpperCase()}_CONFIG_ID`;
  return ` and that the login configuration ${settings.configId} (${setting}) contains them: open developers.facebook.com/apps, Facebook Login for Business, Configurations`;
}

/** Returns the chats of an account, including those in which the bot had no right to post at the last report of the network. */
async function chatsOf(accountId: number): Promise<Destination[]> {
  const usable = (await storedDestinations([accountId])).get(accountId) ?? [];
  const unusable = await listUnusableDestinations(accountId);
  return [...usable, ...unusable.filter(({ problem }) => problem === "NO_RIGHT")];
}

/** The rights of a chat take three calls, so only the first chats are checked. */
const MOST_CHATS = 20;

/** Says what the bot may do in the chats. @throws PlatformError that names what it may not do */
async function compareRights(connect: BotConnect, app: App, chats: Destination[]): Promise<string | ByHand> {
  if (chats.length === 0) return { byHand: connect.rights, found: "No chat is connected to the account" };
  const checked = chats.slice(0, MOST_CHATS);
  const problems: string[] = [];
  for (const { id, title } of checked) {
    const missing = await connect.missingRights(app, id).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.kind !== "rejected") throw error;
      return withAnswer(error);
    });
    if (typeof missing === "string") problems.push(`${title}: ${missing}`);
    else if (missing.length > 0) problems.push(`The bot may not ${missing.join(", ")} in ${title}`);
  }
  if (problems.length > 0) throw new PlatformError("rejected", problems.join(". "));
  const rest = chats.length > checked.length ? `. ${chats.length - checked.length} more were not checked` : "";
  return `The bot may post everything in ${checked.map(({ title }) => title).join(", ")}${rest}`;
}

/**
 * Sends a notification without a signature to our own address. A refusal by this service shows that the address leads to it. Then
 * the setting at the network is compared, if it can be read.
 */
async function callbackLine(
  { platform, live }: Network,
  accountId: number,
  under: "appUrl" | "baseUrl",
): Promise<Line> {
  const check = "webhooks";
  const url = `${env[under]}/callbacks/${platforms[platform]}`;
  const failed = (what: string): Line => {
    const todo = `Let the proxy pass ${new URL(url).pathname} to a web process, and check the name and the certificate of ${env[under]}`;
    return { check, result: "failed", found: `${url} ${what}`, todo };
  };
  try {
    const answer = await fetch(url, { method: "POST", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    if (answer.status !== REFUSED) return failed(`answered with status ${answer.status}, and not as this service does`);
    const setting = await runCheck(check, accountId, live.webhooks);
    return { ...setting, found: `${url} leads to this service. ${setting.found}` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return failed(`cannot be reached from here: ${reason}`);
  }
}
