import { sql } from "drizzle-orm";
import { listOperatorProblems, listQuotaUse, type OperatorProblem } from "../lib/accounts";
import { db } from "../lib/db";
import { env, isLoopback } from "../lib/env";
import { type Forwarder, listForwarders } from "../lib/http/forwarders";
import {
  allNetworks,
  appOf,
  isOffered,
  type Network,
  networkOf,
  PlatformError,
  VERSIONS_AS_OF,
  versionListProblems,
  versionProblems,
} from "../lib/networks";
import { platforms } from "../lib/platforms";
import { HOLD_FIX, publishingState } from "../lib/schedules";
import { corsProblem } from "../lib/storage";
import { countKeyUse } from "./keys";

/** A `failure` prevents something from working now; a `warning` may do so later. */
export type DoctorProblem = { severity: "failure" | "warning"; problem: string; fix: string };

/** The share of a daily quota at which a warning is shown. */
const QUOTA_WARNING_SHARE = 0.8;

/** Returns the configuration, the API versions in use with their end dates, and all problems with their fixes. */
export async function checkSetup(now = new Date()) {
  const networks = allNetworks();
  const credentials = await Promise.all(networks.map(credentialProblems));
  const { keys, lost } = await countKeyUse();
  const quotas = (await Promise.all(networks.map(quotasOf))).flat();
  return {
    baseUrl: env.baseUrl,
    authUrl: env.authUrl,
    appUrl: env.appUrl,
    dataDir: env.dataDir,
    database: env.databaseUrl ? "DATABASE_URL" : "embedded in DATA_DIR",
    objects: env.s3 ? `the bucket ${env.s3.bucket} at ${env.s3.endpoint}` : "DATA_DIR",
    mail: env.smtpUrl ? `SMTP_URL, from ${env.mailFrom}` : "written to DATA_DIR/mail",
    worker: env.worker ? "in the web process" : "in separate processes (npm run worker)",
    secrets: env.secretsKey ? "SECRETS_KEY" : "generated in DATA_DIR",
    sandbox: env.sandbox ? env.sandbox.url : "off",
    versionsAsOf: VERSIONS_AS_OF,
    networks: networks.map(({ platform, version }) => ({
      platform,
      mode: env.networks[platforms[platform]].mode,
      apiVersion: version.name,
      endOfLife: version.endsOn ?? "not announced",
    })),
    quotas,
    keys,
    problems: [
      ...(await holdProblems()),
      ...durabilityProblems(await databaseSettings()),
      ...mailProblems(),
      ...networks.flatMap((network) => problemsOf(network, now)),
      ...quotas.flatMap(quotaProblems),
      ...versionListProblems(now),
      ...credentials.flat(),
      ...(await listOperatorProblems()).map(operatorProblem),
      ...addressProblems(),
      ...(await listForwarders()).map(forwarderProblem),
      ...lostKeyProblems(lost),
      ...(await storeProblems()),
    ].toSorted(bySeverity),
  };
}

/** Returns the settings of PostgreSQL that decide whether a commit survives a power failure. */
export async function databaseSettings(): Promise<{ fsync: string; fullPageWrites: string }> {
  const { rows } = await db.execute<{ fsync: string; fullPageWrites: string }>(
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites"`,
  );
  return rows[0] ?? { fsync: "", fullPageWrites: "" };
}

/** Without these, a power failure may lose the records of calls that were made, and the posts would be sent again. */
export function durabilityProblems({
  fsync,
  fullPageWrites,
}: {
  fsync: string;
  fullPageWrites: string;
}): DoctorProblem[] {
  const off: DoctorProblem = {
    severity: "failure",
    problem: "PostgreSQL runs with fsync=off: a power failure can lose or damage data, and posts would be sent again",
    fix: "Set fsync = on in postgresql.conf and restart PostgreSQL",
  };
  const torn: DoctorProblem = {
    severity: "warning",
    problem: "PostgreSQL runs with full_page_writes=off: a power failure can damage data on most file systems",
    fix: "Set full_page_writes = on in postgresql.conf, unless the file system writes whole pages atomically",
  };
  return [...(fsync === "off" ? [off] : []), ...(fullPageWrites === "off" ? [torn] : [])];
}

async function holdProblems(): Promise<DoctorProblem[]> {
  const { held } = await publishingState();
  if (!held) return [];
  return [{ severity: "failure", problem: `Publishing is held since ${held.since}: ${held.reason}`, fix: HOLD_FIX }];
}

/** Failures come first. */
export function bySeverity(one: DoctorProblem, other: DoctorProblem): number {
  return Number(one.severity === "warning") - Number(other.severity === "warning");
}

function lostKeyProblems(lost: { [column: string]: number }): DoctorProblem[] {
  return Object.entries(lost).map(([column, values]) => ({
    severity: "failure",
    problem: `${values} values of ${column} are encrypted with a key that SECRETS_KEY does not contain, so they cannot be read`,
    fix: "Add the missing key at the end of SECRETS_KEY, run keys reseal, and only then remove it",
  }));
}

function problemsOf(network: Network, now: Date): DoctorProblem[] {
  const { platform, name } = network;
  const absent: DoctorProblem = {
    severity: "warning",
    problem: `${name} is not offered: it has no credentials`,
    fix: `Set ${credentialSettingsOf(network)}`,
  };
  return [...(isOffered(platform) ? [] : [absent]), ...versionProblems(network, now)];
}

type DailyQuota = { platform: Network["platform"]; bucket: string; used: number; perDay: number };

/** Returns how much of each counted daily quota of a network the service has used. */
async function quotasOf(network: Network): Promise<DailyQuota[]> {
  const { platform } = network;
  return (await listQuotaUse(network)).map((quota) => ({ platform, ...quota }));
}

function quotaProblems({ platform, bucket, used, perDay }: DailyQuota): DoctorProblem[] {
  if (used < perDay * QUOTA_WARNING_SHARE) return [];
  const setting = `${platforms[platform]}_daily_${bucket}`.toUpperCase();
  const problem = `${networkOf(platform).name}: ${used} of ${perDay} ${bucket} for today are used; when all are used, posts wait for the next day`;
  return [
    {
      severity: "warning",
      problem,
      fix: `Request a higher quota from the network, and set ${setting} to the granted number`,
    },
  ];
}

/** Tests real credentials at the network. Sandbox credentials need no test. */
async function credentialProblems(network: Network): Promise<DoctorProblem[]> {
  return env.networks[platforms[network.platform]].mode === "real" ? tryCredentials(network) : [];
}

/** Makes a harmless call with the service's own credentials, if the network has any. Returns why it failed. */
export async function tryCredentials(network: Network): Promise<DoctorProblem[]> {
  const { platform, name } = network;
  if (!network.checkCredentials) return [];
  try {
    await network.checkCredentials(appOf(network), `${env.appUrl}/oauth/connect/callback/${platforms[platform]}`);
    return [];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return [credentialProblem(network, name, error)];
  }
}

function credentialProblem(network: Network, name: string, { answer, kind }: PlatformError): DoctorProblem {
  const isAnswered = answer !== undefined && answer.status > 0 && kind !== "unknown" && answer.status !== 429;
  if (!isAnswered) {
    const fix = "Check that this machine can reach the network, and try again";
    return { severity: "warning", problem: `${name} could not be reached to check its credentials`, fix };
  }
  const said = answer.message ? `: ${answer.message}` : "";
  const problem = `${name} rejects the configured credentials (status ${answer.status}${said})`;
  return { severity: "failure", problem, fix: `Correct ${credentialSettingsOf(network)}` };
}

/** Networks whose credentials are not a client ID and a secret. */
const ONE_SETTING: { [P in Network["platform"]]?: string } = {
  TELEGRAM: "TELEGRAM_BOT_TOKEN",
  BLUE_SKY: "BLUESKY_CLIENT_KEY",
};

/** Names the settings that contain a network's credentials. */
export function credentialSettingsOf({ platform }: Network): string {
  const prefix = platforms[platform].toUpperCase();
  return ONE_SETTING[platform] ?? `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET`;
}

/** If users sign in from other machines, mail must leave this machine. */
function mailProblems(): DoctorProblem[] {
  if (env.isLocal) return [];
  const from = { severity: "warning", fix: "Set MAIL_FROM to an address that the mail server may send from" } as const;
  if (!env.smtpUrl) {
    const problem =
      "No mail server is configured: emails are written to DATA_DIR/mail, and users can neither confirm their address nor reset their password";
    return [{ severity: "failure", problem, fix: "Set SMTP_URL and MAIL_FROM" }];
  }
  return env.mailFrom.endsWith("@localhost") ? [{ ...from, problem: `The sender of emails is ${env.mailFrom}` }] : [];
}

/** Some networks fetch media themselves, from `MEDIA_URL`, which is `APP_URL` by default. */
function addressProblems(): DoctorProblem[] {
  const name = env.mediaUrl === env.appUrl ? "APP_URL" : "MEDIA_URL";
  const problem = `${name} is not public (${env.mediaUrl}): real networks that fetch media themselves cannot reach it`;
  const fix = `Set ${name} to an https URL that is reachable from the internet`;
  return isLoopback(env.mediaUrl) ? [{ severity: "warning", problem, fix }] : [];
}

/** A network refuses the service's own application, and posts wait for the operator. */
function operatorProblem({ platform, reason, fix, times, lastAt }: OperatorProblem): DoctorProblem {
  const seen = `${times} ${times === 1 ? "call" : "calls"}, the last at ${new Date(lastAt).toISOString()}`;
  return {
    severity: "failure",
    problem: `Posts on ${networkOf(platform).name} wait for the operator: ${reason} (${seen})`,
    fix,
  };
}

/** Behind an unknown proxy, all clients share its address, and with it their limits. */
function forwarderProblem({ address, header, isPublic }: Forwarder): DoctorProblem {
  const problem = `Requests from ${address} have the header ${header}, but ${address} is not in TRUSTED_PROXIES: the header is ignored`;
  return isPublic
    ? {
        severity: "warning",
        problem: `${problem}. Either this is a proxy, and all its clients count as one, or a client made the header up`,
        fix: `If it is your proxy, add ${address} to TRUSTED_PROXIES`,
      }
    : {
        severity: "failure",
        problem: `${problem}, and all clients of this proxy count as one in every limit`,
        fix: `Add ${address} to TRUSTED_PROXIES`,
      };
}

/** The browser uploads files directly to the bucket. */
async function storeProblems(): Promise<DoctorProblem[]> {
  const problem = await corsProblem();
  const fix = `Add a CORS rule to the bucket: PUT from ${env.appUrl} with content-type, x-amz-meta-size-bytes and x-amz-meta-filename`;
  return problem ? [{ severity: "failure", problem: `Uploads from the dashboard fail: ${problem}`, fix }] : [];
}
