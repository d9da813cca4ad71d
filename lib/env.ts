import { resolve } from "node:path";
import { readNetworks } from "./env/networks";
import { problemLine, readSettings, type Settings, settings, type Variables } from "./env/settings";
import { networkNames } from "./platforms";

export type { NetworkSettings } from "./env/networks";
export { parseUrl } from "./env/parsers";

/** One or more settings are wrong. `problems` has one printable line for each of them. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
    this.name = "SettingsError";
  }
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** True if a URL is on this machine, judged by its host name alone, without a DNS lookup. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return LOOPBACK.has(hostname) || hostname.endsWith(".localhost");
}

const S3_NAMES = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** The bucket for stored files. Either all five settings are set, or none. */
function readS3(from: Variables, read: Settings, problems: string[]) {
  const given = S3_NAMES.filter((name) => from[name]);
  if (given.length === 0) return undefined;
  for (const name of S3_NAMES.filter((one) => !from[one])) {
    problems.push(problemLine(name, undefined, `is required because ${given[0]} is set`, settings[name].example));
  }
  return {
    endpoint: read.S3_ENDPOINT ?? "",
    bucket: read.S3_BUCKET ?? "",
    region: read.S3_REGION ?? "",
    accessKeyId: read.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: read.S3_SECRET_ACCESS_KEY ?? "",
  };
}

/**
 * Parses and checks every setting.
 * @throws SettingsError with a line for each wrong setting
 */
export function readEnv(from: Variables) {
  const problems: string[] = [];
  const read = readSettings(from, problems);
  const port = read.PORT ?? 3000;
  const baseUrl = read.BASE_URL ?? `http://localhost:${port}`;
  const local = isLoopback(baseUrl);
  const sandbox = (read.SANDBOX ?? "on") === "on" && local;
  const sandboxPort = read.SANDBOX_PORT ?? 3010;
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  if (sandbox && sandboxPort === port) {
    problems.push(problemLine("SANDBOX_PORT", String(sandboxPort), "is also the value of PORT", String(port + 10)));
  }
  const appUrl = read.APP_URL ?? baseUrl;
  const networks = readNetworks(from, read, sandbox, sandboxUrl, appUrl, problems);
  if (!local) {
    const onlyLocal = ["EGRESS_ALLOW", "TIME_FACTOR", "FAIL_POINTS"].filter((name) => from[name]);
    const simulated = networkNames
      .map((name) => `${name.toUpperCase()}_API_URL`)
      .filter((name) => URL.canParse(from[name] ?? "") && isLoopback(from[name] ?? ""));
    for (const name of [...onlyLocal, ...simulated]) {
      const wrong = `is only allowed while BASE_URL is on a loopback host (BASE_URL is ${baseUrl})`;
      problems.push(`${name}: ${wrong}. Remove it, or set for example BASE_URL=http://localhost:${port}`);
    }
  }
  const s3 = readS3(from, read, problems);
  if (problems.length > 0) throw new SettingsError(problems);

  return {
    port,
    baseUrl,
    authUrl: read.AUTH_URL ?? baseUrl,
    appUrl,
    isLocal: local,
    dataDir: resolve(read.DATA_DIR ?? ".data"),
    databaseUrl: read.DATABASE_URL,
    s3,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? "carillon@localhost",
    sandbox: sandbox ? { port: sandboxPort, url: sandboxUrl } : undefined,
    secretsKey: read.SECRETS_KEY,
    worker: (read.WORKER ?? "on") === "on",
    egressAllow: read.EGRESS_ALLOW ?? [],
    timeFactor: read.TIME_FACTOR ?? 1,
    failPoints: read.FAIL_POINTS,
    rateLimits: { api: read.RATE_LIMIT_API ?? 600, auth: read.RATE_LIMIT_AUTH ?? 60 },
    trustedProxies: read.TRUSTED_PROXIES,
    /** True if Pins with several images are offered. */
    pinterestCarousel: read.PINTEREST_CAROUSEL === "on",
    /** The daily quota that Google granted this service's project. Undefined: the default of every project. */
    youtubeDaily: { uploads: read.YOUTUBE_DAILY_UPLOADS, units: read.YOUTUBE_DAILY_UNITS },
    /** The token and the signing secret of `carillon listen`. */
    listen: { token: read.CARILLON_TOKEN, secret: read.CARILLON_WEBHOOK_SECRET },
    // On a terminal, request logs would push the printed URLs out of sight.
    logLevel: read.LOG_LEVEL ?? (process.stderr.isTTY ? "warn" : "info"),
    networks,
  } as const;
}

export type Env = ReturnType<typeof readEnv>;

/** The settings of this process, parsed once. No other module reads `process.env`. */
export const env: Env = readEnv(process.env);
