import { resolve } from "node:path";
import { readNetworks } from "./env/networks";
import { parseUrl } from "./env/parse-url";
import { isPrivateHost } from "./env/parsers";
import { type EnvSettings, envSettings, problemLine, readSettings, type Variables } from "./env/settings";
import { networkNames } from "./platforms";

export type { NetworkSettings } from "./env/networks";

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

/** True if this cannot be a network's own host. Telegram's own server may be in a private network (docs/networks/telegram.md). */
function isSimulation(name: string, apiUrl: string): boolean {
  const { hostname } = new URL(apiUrl);
  const isHere = isLoopback(`http://${hostname.replace(/\.$/, "")}`); // `localhost.` is the same name
  return isHere || (name !== "TELEGRAM_API_URL" && isPrivateHost(hostname));
}

const S3_NAMES = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** The bucket for stored files. Either all five settings are set, or none. */
function readS3(from: Variables, read: EnvSettings, problems: string[]) {
  const given = S3_NAMES.filter((name) => from[name]);
  if (given.length === 0) return undefined;
  for (const name of S3_NAMES.filter((one) => !from[one])) {
    problems.push(problemLine(name, undefined, `is required because ${given[0]} is set`, envSettings[name].example));
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
  const authUrl = read.AUTH_URL ?? baseUrl;
  const appUrl = read.APP_URL ?? baseUrl;
  const addresses = { BASE_URL: baseUrl, AUTH_URL: authUrl, APP_URL: appUrl };
  const reachable = Object.entries(addresses).find(([, url]) => !isLoopback(url));
  const local = !reachable;
  const sandbox = (read.SANDBOX ?? "on") === "on" && local;
  const sandboxPort = read.SANDBOX_PORT ?? 3010;
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  if (sandbox && sandboxPort === port) {
    problems.push(problemLine("SANDBOX_PORT", String(sandboxPort), "is also the value of PORT", String(port + 10)));
  }
  if (read.METRICS_PORT === port) {
    problems.push(problemLine("METRICS_PORT", String(port), "is also the value of PORT", String(port + 20)));
  }
  if (read.HEALTH_PORT !== undefined && read.HEALTH_PORT === read.METRICS_PORT) {
    const port = read.HEALTH_PORT;
    problems.push(problemLine("HEALTH_PORT", String(port), "is also the value of METRICS_PORT", String(port + 1)));
  }
  if (read.DATABASE_DIRECT_URL && !from.DATABASE_URL) {
    const required = "is required because DATABASE_DIRECT_URL is set";
    problems.push(problemLine("DATABASE_URL", undefined, required, envSettings.DATABASE_URL.example));
  }
  const networks = readNetworks(from, read, sandbox, sandboxUrl, appUrl, problems);
  if (reachable) {
    const onlyLocal = ["EGRESS_ALLOW", "TIME_FACTOR", "FAIL_POINTS"].filter((name) => from[name]);
    const simulated = networkNames
      .map((name) => `${name.toUpperCase()}_API_URL`)
      .filter((name) => parseUrl(from[name] ?? "") && isSimulation(name, from[name] ?? ""));
    for (const name of [...onlyLocal, ...simulated]) {
      const [address, url] = reachable;
      const wrong = `is only allowed while ${address} is on a loopback host (${address} is ${url})`;
      problems.push(`${name}: ${wrong}. Remove it, or set for example ${address}=http://localhost:${port}`);
    }
  }
  const s3 = readS3(from, read, problems);
  const mailFrom = read.MAIL_FROM ?? "carillon@localhost";
  if (problems.length > 0) throw new SettingsError(problems);

  return {
    port,
    baseUrl,
    authUrl,
    appUrl,
    /** Where browsers and networks fetch users' files. */
    mediaUrl: read.MEDIA_URL ?? appUrl,
    /** False if all three addresses follow from `PORT`. */
    isAddressSet: (read.BASE_URL ?? read.AUTH_URL ?? read.APP_URL) !== undefined,
    /** True if all three addresses are on this machine. */
    isLocal: local,
    /** The addresses that the web port binds to. A browser may try either loopback address first for `localhost`. */
    hosts: read.HOST ? [read.HOST] : local ? ["127.0.0.1", "::1"] : ["0.0.0.0"],
    dataDir: resolve(read.DATA_DIR ?? ".data"),
    databaseUrl: read.DATABASE_URL,
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    databasePool: read.DATABASE_POOL ?? 20,
    /** False if processes do not notify each other through the database. */
    databaseNotify: (read.DATABASE_NOTIFY ?? "on") === "on",
    s3,
    /** After how many days rows are deleted. Undefined: never. */
    retention: {
      schedulesDays: read.RETENTION_SCHEDULES_DAYS,
      attemptsDays: read.RETENTION_ATTEMPTS_DAYS,
      auditDays: read.RETENTION_AUDIT_DAYS,
    },
    /** Staff without a second factor cannot act as staff. */
    needsStaffFactor: read.STAFF_SECOND_FACTOR === "required",
    smtpUrl: read.SMTP_URL,
    /** The default is the mailbox that RFC 2142 (section 4) names for reports, at the domain of our mails. */
    securityContacts: read.SECURITY_CONTACT ?? [`mailto:security@${/@([^@<>\s]+)>?\s*$/.exec(mailFrom)?.[1]}`],
    mailFrom,
    sandbox: sandbox ? { port: sandboxPort, url: sandboxUrl } : undefined,
    secretsKey: read.SECRETS_KEY,
    worker: (read.WORKER ?? "on") === "on",
    egressAllow: read.EGRESS_ALLOW ?? [],
    timeFactor: read.TIME_FACTOR ?? 1,
    failPoints: read.FAIL_POINTS,
    rateLimits: { api: read.RATE_LIMIT_API ?? 600, auth: read.RATE_LIMIT_AUTH ?? 60 },
    /** Who may read `/metrics`: whoever sends the token, and whoever reaches the port. */
    metrics: { token: read.METRICS_TOKEN, port: read.METRICS_PORT },
    /** The base URL of the collector that gets our traces. */
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** The port on which a worker answers health checks. */
    healthPort: read.HEALTH_PORT,
    connectionsPerAddress: read.CONNECTIONS_PER_ADDRESS ?? 500,
    /** An agent with the scope `posts.write` may publish through `/mcp` without the approval of a person. */
    agentsMayPublish: read.MCP_PUBLISHING === "on",
    /** Limits for each user. */
    quotas: {
      mediaBytes: read.QUOTA_MEDIA_BYTES ?? 20 * 1024 ** 3,
      openGrants: read.QUOTA_OPEN_GRANTS ?? 1_000,
      queuedImports: read.QUOTA_QUEUED_IMPORTS ?? 5_000,
      publicationsPerDay: read.QUOTA_PUBLICATIONS_PER_DAY ?? 10_000,
    },
    reservedDiskBytes: read.RESERVED_DISK_BYTES ?? 512 * 1024 ** 2,
    trustedProxies: read.TRUSTED_PROXIES,
    /** True if Pins with several images are offered. */
    pinterestCarousel: read.PINTEREST_CAROUSEL !== "off",
    /** True if people who connect Threads are asked for the permission `threads_location_tagging`. */
    threadsLocations: read.THREADS_LOCATIONS ? read.THREADS_LOCATIONS === "on" : networks.threads.mode === "sandbox",
    /** True if people who connect Facebook are asked for the permission `business_management`. */
    facebookBusinessPages: read.FACEBOOK_BUSINESS_PAGES
      ? read.FACEBOOK_BUSINESS_PAGES === "on"
      : networks.facebook.mode === "sandbox",
    /** True if people who connect LinkedIn are asked for the scopes with which one posts to company pages. */
    linkedinPages: read.LINKEDIN_PAGES ? read.LINKEDIN_PAGES === "on" : networks.linkedin.mode === "sandbox",
    /** The networks at which people who connect are also asked for the permission to comment. */
    comments: {
      facebook: read.FACEBOOK_COMMENTS ? read.FACEBOOK_COMMENTS === "on" : networks.facebook.mode === "sandbox",
      instagram: read.INSTAGRAM_COMMENTS ? read.INSTAGRAM_COMMENTS === "on" : networks.instagram.mode === "sandbox",
    },
    /** True if people who connect TikTok are asked for the scope `video.list`. */
    tiktokVideoList: read.TIKTOK_VIDEO_LIST ? read.TIKTOK_VIDEO_LIST === "on" : networks.tiktok.mode === "sandbox",
    /** True if people who connect YouTube are asked for the scope `youtube.force-ssl`. */
    youtubeManage: read.YOUTUBE_MANAGE ? read.YOUTUBE_MANAGE === "on" : networks.youtube.mode === "sandbox",
    /** True if people who connect TikTok are asked for the scope `video.upload`. */
    tiktokVideoUpload: read.TIKTOK_VIDEO_UPLOAD
      ? read.TIKTOK_VIDEO_UPLOAD === "on"
      : networks.tiktok.mode === "sandbox",
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
