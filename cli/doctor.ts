import { listQuotaUse } from "../lib/accounts";
import { env, isLoopback } from "../lib/env";
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
import { corsProblem } from "../lib/storage";

/** A `failure` keeps something from working now; a `warning` will, or may. */
type Problem = { severity: "failure" | "warning"; problem: string; mend: string };

/** From here on a day's quota is warned of. */
const NEARLY = 0.8;

/** What is set up, which API versions are spoken until when, and what stands in the way of use with how to mend it. */
export async function examine(now = new Date()) {
  const networks = allNetworks();
  const refused = await Promise.all(networks.map(credentialProblems));
  const quotas = (await Promise.all(networks.map(quotasOf))).flat();
  return {
    baseUrl: env.baseUrl,
    authUrl: env.authUrl,
    appUrl: env.appUrl,
    dataDir: env.dataDir,
    database: env.databaseUrl ? "DATABASE_URL" : "embedded in DATA_DIR",
    objects: env.s3 ? `the bucket ${env.s3.bucket} at ${env.s3.endpoint}` : "DATA_DIR",
    mail: env.smtpUrl ? `SMTP_URL, from ${env.mailFrom}` : "kept in DATA_DIR/mail",
    worker: env.worker ? "in the web process" : "in processes of its own (npm run worker)",
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
    problems: [
      ...networks.flatMap((network) => problemsOf(network, now)),
      ...quotas.flatMap(quotaProblems),
      ...versionListProblems(now),
      ...refused.flat(),
      ...addressProblems(),
      ...mailProblems(),
      ...(await storeProblems()),
    ],
  };
}

function problemsOf(network: Network, now: Date): Problem[] {
  const { platform, name } = network;
  const absent: Problem = {
    severity: "warning",
    problem: `${name} is not offered: it has no credentials`,
    mend: `Set ${settingsOf(network)}`,
  };
  return [...(isOffered(platform) ? [] : [absent]), ...versionProblems(network, now)];
}

type DailyQuota = { platform: Network["platform"]; bucket: string; used: number; perDay: number };

/** What the service has used of what a network lets it do in a day, where that is counted. */
async function quotasOf(network: Network): Promise<DailyQuota[]> {
  const { platform } = network;
  return (await listQuotaUse(network)).map((quota) => ({ platform, ...quota }));
}

function quotaProblems({ platform, bucket, used, perDay }: DailyQuota): Problem[] {
  if (used < perDay * NEARLY) return [];
  const setting = `${platforms[platform]}_daily_${bucket}`.toUpperCase();
  const problem = `${networkOf(platform).name}: ${used} of today's ${perDay} ${bucket} are used; what comes after the last waits for the next day`;
  return [{ severity: "warning", problem, mend: `Ask the network for more, and set ${setting} to what it grants` }];
}

/** Real credentials are tried at the network; the sandbox's need no trial. */
async function credentialProblems(network: Network): Promise<Problem[]> {
  const { platform, name } = network;
  if (env.networks[platforms[platform]].mode !== "real" || !network.checkCredentials) return [];
  try {
    await network.checkCredentials(appOf(network), `${env.appUrl}/oauth/connect/callback/${platforms[platform]}`);
    return [];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return [refusalOf(network, name, error)];
  }
}

function refusalOf(network: Network, name: string, { answer, kind }: PlatformError): Problem {
  const isAnswered = answer !== undefined && answer.status > 0 && kind !== "unknown" && answer.status !== 429;
  if (!isAnswered) {
    const mend = "Check that this machine reaches the network, and try again";
    return { severity: "warning", problem: `${name} could not be asked about its credentials`, mend };
  }
  const said = answer.message ? `: ${answer.message}` : "";
  const problem = `${name} does not accept the credentials it is set up with (status ${answer.status}${said})`;
  return { severity: "failure", problem, mend: `Correct ${settingsOf(network)}` };
}

/** Where credentials are something else than an id and a secret. */
const ONE_SETTING: { [P in Network["platform"]]?: string } = {
  TELEGRAM: "TELEGRAM_BOT_TOKEN",
  BLUE_SKY: "BLUESKY_CLIENT_KEY",
};

function settingsOf({ platform }: Network): string {
  const prefix = platforms[platform].toUpperCase();
  return ONE_SETTING[platform] ?? `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET`;
}

/** Where people sign in from elsewhere, mail has to leave this machine. */
function mailProblems(): Problem[] {
  if (env.isLocal) return [];
  const from = { severity: "warning", mend: "Set MAIL_FROM to an address that SMTP_URL may send from" } as const;
  if (!env.smtpUrl) {
    const problem = "No mail server is set: mails stay in DATA_DIR/mail, and who forgot their password gets none";
    return [{ severity: "warning", problem, mend: "Set SMTP_URL and MAIL_FROM" }];
  }
  return env.mailFrom.endsWith("@localhost") ? [{ ...from, problem: `Mail is sent from ${env.mailFrom}` }] : [];
}

/** Networks that fetch media themselves do so from `APP_URL`. */
function addressProblems(): Problem[] {
  const problem = `APP_URL is not public (${env.appUrl}): networks that fetch media themselves reach it in the sandbox only`;
  const mend = "Set APP_URL to an https address that the internet can reach";
  return isLoopback(env.appUrl) ? [{ severity: "warning", problem, mend }] : [];
}

/** Uploads from the dashboard go from the browser straight to the bucket. */
async function storeProblems(): Promise<Problem[]> {
  const problem = await corsProblem();
  const mend = `Give the bucket a CORS rule: PUT from ${env.appUrl} with content-type, x-amz-meta-size-bytes and x-amz-meta-filename`;
  return problem ? [{ severity: "failure", problem: `Uploads from the dashboard fail: ${problem}`, mend }] : [];
}
